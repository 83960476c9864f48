#include "solve/quadratic/scalar_subproblem.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace salvo::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const double closed = 1e-14;  // a gap shorter than this has no direction
const double ridge = 1e-13;   // of the largest diagonal element

}  // namespace

double length(const std::vector<double>& v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())).norm();
}

bool is_open(const std::vector<double>& gap) { return length(gap) > closed; }

std::vector<SquaredGap> squared_gap_rows(const nlp::Layout& layout, const nlp::Gradients& gradients) {
  std::vector<SquaredGap> out;
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (int j = 0; j < chain.links(); ++j) {
      const auto& link = gradients.links[c][j];
      if (!is_open(link.gap)) continue;
      const double size = length(link.gap);
      SquaredGap constraint{.size = size};
      constraint.row.c = 0.5 * size;
      const double scale = 0.5 / size;
      for (int i = 0; i < layout.thetas; ++i) constraint.row.entries.push_back({i, scale * link.by_theta[i]});
      for (int i = 0; i < chain.size[j]; ++i)
        constraint.row.entries.push_back({chain.offset[j] + i, scale * link.by_block[i]});
      for (int i = 0; i < chain.size[j + 1]; ++i)
        constraint.row.entries.push_back({chain.offset[j + 1] + i, -link.gap[i] / size});
      out.push_back(std::move(constraint));
    }
  }
  return out;
}

namespace {

// min g'Δ + Δ'BΔ/2 s.t. a_j'Δ = -c_j, through H = B^-1: (A H A') y = c - A H g, Δ = -H (g + A'y)
ScalarStep solve_equalities(const Bfgs& B, const VectorXd& g, const std::vector<SparseRow>& rows) {
  const int n = static_cast<int>(g.size());
  const int count = static_cast<int>(rows.size());
  MatrixXd HA(n, count);
  for (int j = 0; j < count; ++j) HA.col(j) = B.solve(rows[j].dense(n));
  const VectorXd Hg = B.solve(g);
  MatrixXd S(count, count);
  VectorXd rhs(count);
  for (int j = 0; j < count; ++j) {
    for (int k = 0; k < count; ++k) S(j, k) = rows[j].dot(HA.col(k));
    rhs[j] = rows[j].c - rows[j].dot(Hg);
  }
  // Rows can be nearly dependent; a ridge at the level of rounding keeps the multipliers finite.
  if (count > 0) S.diagonal().array() += ridge * S.diagonal().maxCoeff();
  const VectorXd y = count > 0 ? VectorXd(S.ldlt().solve(rhs)) : VectorXd(0);
  ScalarStep out;
  out.delta = -Hg;
  if (count > 0) out.delta -= HA * y;
  out.multipliers.assign(y.data(), y.data() + count);
  return out;
}

}  // namespace

// With bounds, those that the step would cross become equalities, one after the other, and are let go again
// when their multiplier says that they are not wanted.
ScalarStep solve_subproblem(const Bfgs& B, const VectorXd& g, const std::vector<SquaredGap>& constraints,
                            const nlp::Layout& layout, const nlp::Point& q) {
  std::vector<SparseRow> rows;
  for (const SquaredGap& constraint : constraints) rows.push_back(constraint.row);
  const std::size_t fixed = rows.size();
  std::vector<std::pair<int, bool>> active;  // unknown, at its upper bound
  ScalarStep solution;
  for (int round = 0; round <= 2 * layout.thetas + 2; ++round) {
    solution = solve_equalities(B, g, rows);
    int worst = -1;
    double most = 0;
    for (int i = 0; i < layout.thetas; ++i) {
      const bool is_active = std::any_of(active.begin(), active.end(), [i](const auto& a) { return a.first == i; });
      const double over =
          std::max(q[i] + solution.delta[i] - layout.upper[i], layout.lower[i] - q[i] - solution.delta[i]);
      if (!is_active && over > most) most = over, worst = i;
    }
    if (worst >= 0) {
      const bool upper = q[worst] + solution.delta[worst] > layout.upper[worst];
      const double distance = (upper ? layout.upper[worst] : layout.lower[worst]) - q[worst];
      rows.push_back({{{worst, 1.0}}, -distance});
      active.push_back({worst, upper});
      continue;
    }
    int unwanted = -1;
    for (std::size_t k = 0; k < active.size(); ++k) {
      const double multiplier = solution.multipliers[fixed + k];
      if (active[k].second ? multiplier < 0 : multiplier > 0) unwanted = static_cast<int>(k);
    }
    if (unwanted < 0) break;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(fixed) + unwanted);
    active.erase(active.begin() + unwanted);
  }
  solution.multipliers.resize(fixed);
  return solution;
}

}  // namespace salvo::solve
