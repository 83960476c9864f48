#include "solve/step/penalty_step.hpp"

#include <cmath>

#include "dense/householder_qr.hpp"
#include "nlp/constraints.hpp"
#include "solve/elimination/constraint_rows.hpp"
#include "solve/elimination/views.hpp"
#include "solve/quadratic/bounded_least_squares.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// How a node follows from its right neighbour: R v_j + R_next v_{j+1} + R_theta θ + r = 0
struct NodeRule {
  MatrixXd R, R_next, R_theta;
  VectorXd r;
};

// Eliminates v_0 ... v_K of one chain; `rows` is left with the rows on (θ, 1).
class ChainFilter {
 public:
  ChainFilter(const nlp::Layout& layout, int chain, const nlp::ChainBlocks& blocks, const VectorXd& size, double rho,
              double mu)
      : place_(layout.chains[chain]), m_(layout.thetas) {
    const VectorXd theta_size = size.head(m_);
    const double root_rho = std::sqrt(rho);
    MatrixXd held;  // rows on (v_j, θ, 1)
    for (int j = 0; j <= place_.links(); ++j) {
      const int n = place_.size[j];
      const VectorXd block_size = size.segment(place_.offset[j], n);
      const nlp::Rows& rows = blocks.rows[j];
      const Index count = static_cast<Index>(rows.r.size());
      const Index before = held.rows();
      MatrixXd here = MatrixXd::Zero(before + count + n, n + m_ + 1);
      if (before > 0) here.topRows(before) = held;
      here.block(before, 0, count, n) = map(rows.by_block) * block_size.asDiagonal();
      here.block(before, n, count, m_) = map(rows.by_theta) * theta_size.asDiagonal();
      here.col(n + m_).segment(before, count) = map(rows.r);
      here.bottomLeftCorner(n, n).diagonal().setConstant(std::sqrt(mu));

      const int next = j < place_.links() ? place_.size[j + 1] : 0;
      MatrixXd stacked = MatrixXd::Zero(here.rows() + next, n + next + m_ + 1);
      if (next > 0) {  // the heavy rows of the gap first: Householder's method is then stable for any weight
        const nlp::Link& link = blocks.links[j];
        const VectorXd inverse = size.segment(place_.offset[j + 1], next).cwiseInverse() * root_rho;
        stacked.topLeftCorner(next, n) = inverse.asDiagonal() * map(link.by_block) * block_size.asDiagonal();
        stacked.block(0, n, next, next).diagonal().setConstant(-root_rho);
        stacked.block(0, n + next, next, m_) = inverse.asDiagonal() * map(link.by_theta) * theta_size.asDiagonal();
        stacked.topRightCorner(next, 1) = inverse.asDiagonal() * map(link.gap);
      }
      stacked.bottomLeftCorner(here.rows(), n) = here.leftCols(n);
      stacked.bottomRightCorner(here.rows(), m_ + 1) = here.rightCols(m_ + 1);

      const MatrixXd R = dense::HouseholderQr(stacked).R();
      rules_.push_back(
          {R.topLeftCorner(n, n), R.block(0, n, n, next), R.block(0, n + next, n, m_), R.topRightCorner(n, 1)});
      held = R.bottomRightCorner(R.rows() - n, next + m_ + 1);
    }
    theta_rows_ = held;
  }

  const MatrixXd& theta_rows() const { return theta_rows_; }

  void expand(const VectorXd& theta, const VectorXd& size, std::vector<double>& delta) const {
    VectorXd next(0);
    for (int j = place_.links(); j >= 0; --j) {
      const NodeRule& rule = rules_[j];
      VectorXd rhs = -rule.r - rule.R_theta * theta;
      if (next.size() > 0) rhs -= rule.R_next * next;
      next = rule.R.triangularView<Eigen::Upper>().solve(rhs);
      for (Index i = 0; i < next.size(); ++i) delta[place_.offset[j] + i] = next[i] * size[place_.offset[j] + i];
    }
  }

 private:
  const nlp::Layout::Chain& place_;
  int m_;
  std::vector<NodeRule> rules_;
  MatrixXd theta_rows_;
};

void append_row(Matrix& to, const Matrix& from, int row, double weight) {
  Matrix longer(to.rows + 1, from.cols);
  for (int k = 0; k < from.cols; ++k) {
    for (int i = 0; i < to.rows; ++i) longer(i, k) = to(i, k);
    longer(to.rows, k) = weight * from(row, k);
  }
  to = std::move(longer);
}

// |r|^2 - |r + J Δ|^2, halved, gaps with weight rho.
double decrease_of_the_model(const nlp::Layout& layout, const nlp::Blocks& blocks, const VectorXd& size,
                             const std::vector<double>& delta, double rho) {
  const VectorXd theta = Eigen::Map<const VectorXd>(delta.data(), layout.thetas);
  double decrease = 0;
  const auto add = [&decrease](const VectorXd& r, const VectorXd& change) { decrease -= change.dot(r + 0.5 * change); };
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (int j = 0; j <= chain.links(); ++j) {
      const Eigen::Map<const VectorXd> v(delta.data() + chain.offset[j], chain.size[j]);
      const nlp::Rows& rows = blocks.chains[c].rows[j];
      add(map(rows.r), map(rows.by_block) * v + map(rows.by_theta) * theta);
      if (j == chain.links()) break;
      const nlp::Link& link = blocks.chains[c].links[j];
      const Eigen::Map<const VectorXd> next(delta.data() + chain.offset[j + 1], chain.size[j + 1]);
      const VectorXd weight = size.segment(chain.offset[j + 1], chain.size[j + 1]).cwiseInverse() * std::sqrt(rho);
      add(weight.cwiseProduct(map(link.gap)),
          weight.cwiseProduct(map(link.by_block) * v + map(link.by_theta) * theta - next));
    }
  }
  add(map(blocks.priors.r), map(blocks.priors.by_theta) * theta);
  return decrease;
}

// The step for gaps alone.
PenaltyStep step_without_constraints(const nlp::Layout& layout, const nlp::Point& q, const nlp::Blocks& blocks,
                                     const std::vector<double>& sizes, double rho, double mu, const Rules& rules) {
  const VectorXd size = map(sizes);
  const int m = layout.thetas;
  std::vector<ChainFilter> filters;
  Index count = static_cast<Index>(blocks.priors.r.size()) + m;
  for (int c = 0; c < static_cast<int>(layout.chains.size()); ++c) {
    filters.emplace_back(layout, c, blocks.chains[c], size, rho, mu);
    count += filters.back().theta_rows().rows();
  }
  MatrixXd rows = MatrixXd::Zero(count, m + 1);
  Index at = 0;
  for (const ChainFilter& filter : filters) {
    rows.middleRows(at, filter.theta_rows().rows()) = filter.theta_rows();
    at += filter.theta_rows().rows();
  }
  const Index priors = static_cast<Index>(blocks.priors.r.size());
  rows.block(at, 0, priors, m) = map(blocks.priors.by_theta) * size.head(m).asDiagonal();
  rows.col(m).segment(at, priors) = map(blocks.priors.r);
  rows.bottomLeftCorner(m, m).diagonal().setConstant(std::sqrt(mu));

  Matrix F(static_cast<int>(count), m);
  Eigen::Map<MatrixXd>(F.data.data(), count, m) = rows.leftCols(m);
  const std::vector<double> f(rows.col(m).data(), rows.col(m).data() + count);
  std::vector<double> lower(m);
  std::vector<double> upper(m);
  for (int i = 0; i < m; ++i) {
    lower[i] = std::min(0.0, (layout.lower[i] - q[i]) / sizes[i]);
    upper[i] = std::max(0.0, (layout.upper[i] - q[i]) / sizes[i]);
    if (!layout.reach_down.empty()) {
      lower[i] = std::max(lower[i], -layout.reach_down[i]);
      upper[i] = std::min(upper[i], layout.reach_up[i]);
    }
    // While gaps are open, the nodes can follow the data as closely as they like; a sigma would follow to zero.
    if (blocks.gap > rules.gaps.comparable && !layout.noise_only.empty() && layout.noise_only[i])
      lower[i] = upper[i] = 0;
  }
  const BoundedSolution solution = bounded_least_squares(F, f, lower, upper, {rules.gauss_newton.singular});
  PenaltyStep step;
  step.delta.assign(layout.unknowns, 0.0);
  for (int i = 0; i < m; ++i) step.delta[i] = solution.x[i] * sizes[i];
  for (const ChainFilter& filter : filters) filter.expand(map(solution.x), size, step.delta);
  step.predicted = decrease_of_the_model(layout, blocks, size, step.delta, rho);
  return step;
}

// The blocks with those constraints that `charged` names as further rows of the objective, √rho c / size.
nlp::Blocks with_penalties(const nlp::Blocks& blocks, const std::vector<double>& constraint_sizes,
                           const std::vector<bool>& charged, double rho) {
  nlp::Blocks out = blocks;
  std::size_t row = 0;
  nlp::each_constraints(blocks, [&](int chain, int block, const nlp::Constraints& constraints) {
    nlp::Rows& rows = chain < 0 ? out.priors : out.chains[chain].rows[block];
    for (int i = 0; i < static_cast<int>(constraints.c.size()); ++i, ++row) {
      if (!charged[row]) continue;
      const double weight = std::sqrt(rho) / constraint_sizes[row];
      rows.r.push_back(weight * constraints.c[i]);
      append_row(rows.by_theta, constraints.by_theta, i, weight);
      if (chain >= 0) append_row(rows.by_block, constraints.by_block, i, weight);
    }
  });
  return out;
}

// The penalties of the constraints, (c+)²; rows that are `charged` count in full, as the quadratic model sees them.
double half_squares(const nlp::Blocks& blocks, const std::vector<double>& constraint_sizes, double rho,
                    const std::vector<bool>* charged) {
  double sum = 0;
  std::size_t row = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row) {
      const double c = charged == nullptr ? nlp::violation(constraints, i) : (*charged)[row] ? constraints.c[i] : 0;
      sum += c / constraint_sizes[row] * (c / constraint_sizes[row]);
    }
  });
  return 0.5 * rho * sum;
}

// Which rows an open constraint charges: equalities, and inequalities that are violated after the step.
std::vector<bool> charged_after(const ConstraintRows& rows, const nlp::Blocks& blocks,
                                const std::vector<double>& delta) {
  const VectorXd values = rows.at(blocks, delta);
  std::vector<bool> charged = rows.equality();
  for (Index i = 0; i < values.size(); ++i) charged[i] = charged[i] || values[i] > 0;
  return charged;
}

}  // namespace

PenaltyStep penalty_step(const nlp::Layout& layout, const nlp::Point& q, const nlp::Blocks& blocks,
                         const std::vector<double>& sizes, double rho, double mu, const Rules& rules) {
  const ConstraintRows constraints(layout, blocks, sizes);
  if (constraints.count() == 0) return step_without_constraints(layout, q, blocks, sizes, rho, mu, rules);
  const std::vector<double> constraint_sizes = nlp::constraint_sizes(layout, blocks, sizes);
  std::vector<bool> charged = charged_after(constraints, blocks, std::vector<double>(layout.unknowns, 0.0));
  for (int round = 1;; ++round) {
    PenaltyStep step = step_without_constraints(layout, q, with_penalties(blocks, constraint_sizes, charged, rho),
                                                sizes, rho, mu, rules);
    const std::vector<bool> next = charged_after(constraints, blocks, step.delta);
    if (next == charged || round == most_rounds) {
      step.predicted +=
          half_squares(blocks, constraint_sizes, rho, nullptr) - half_squares(blocks, constraint_sizes, rho, &charged);
      return step;
    }
    charged = next;
  }
}

namespace {

double squared_gaps(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes) {
  double sum = 0;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j) {
      const std::vector<double>& gap = blocks.chains[c].links[j].gap;
      for (std::size_t i = 0; i < gap.size(); ++i) {
        const double relative = gap[i] / sizes[layout.chains[c].offset[j + 1] + i];
        sum += relative * relative;
      }
    }
  return sum;
}

}  // namespace

double penalty_objective(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                         const std::vector<double>& constraint_sizes, double rho) {
  return blocks.objective + 0.5 * rho * squared_gaps(layout, blocks, sizes) +
         half_squares(blocks, constraint_sizes, rho, nullptr);
}

double sum_of_squares(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                      double rho) {
  double sum = map(blocks.priors.r).squaredNorm();
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (const nlp::Rows& rows : chain.rows) sum += map(rows.r).squaredNorm();
  return 0.5 * (sum + rho * squared_gaps(layout, blocks, sizes));
}

}  // namespace salvo::solve
