#include "solve/scalar_sqp.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/quasi_newton.hpp"
#include "solve/run_log.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// One row of the linearised constraints, a'Δ = -c, with its 2d + m entries that can be non-zero.
struct SparseRow {
  std::vector<std::pair<int, double>> entries{};
  double c = 0;

  double dot(const VectorXd& v) const {
    double sum = 0;
    for (const auto& [i, value] : entries) sum += value * v[i];
    return sum;
  }
  void add_to(VectorXd& v, double factor) const {
    for (const auto& [i, value] : entries) v[i] += factor * value;
  }
  VectorXd dense(int n) const {
    VectorXd v = VectorXd::Zero(n);
    add_to(v, 1);
    return v;
  }
};

double length(const std::vector<double>& v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())).norm();
}

// h_j = |G_j|^2 linearised and divided by 2|G_j|, so that rows keep their size while G goes to zero
// (docs/mathematics.md, eq. 23):
//   a_j = (G_j/|G_j|)' dG_j/dq,   c_j = |G_j|/2.   A gap that is closed has no row: dh/dq vanishes there.
struct Constraint {
  SparseRow row{};
  double size = 0;  // |G_j|
};

std::vector<Constraint> squared_gap_rows(const nlp::Layout& layout, const nlp::Gradients& gradients) {
  std::vector<Constraint> out;
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (int j = 0; j < chain.links(); ++j) {
      const auto& link = gradients.links[c][j];
      const double size = length(link.gap);
      if (!(size > 1e-14)) continue;
      Constraint constraint{.size = size};
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

struct QpSolution {
  VectorXd delta;
  std::vector<double> multipliers;  // of the given rows
};

// min g'Δ + Δ'BΔ/2 s.t. a_j'Δ = -c_j, through H = B^-1: (A H A') y = c - A H g, Δ = -H (g + A'y)
QpSolution solve_equalities(const Bfgs& B, const VectorXd& g, const std::vector<SparseRow>& rows) {
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
  if (count > 0) S.diagonal().array() += 1e-13 * S.diagonal().maxCoeff();
  const VectorXd y = count > 0 ? VectorXd(S.ldlt().solve(rhs)) : VectorXd(0);
  QpSolution out;
  out.delta = -Hg;
  if (count > 0) out.delta -= HA * y;
  out.multipliers.assign(y.data(), y.data() + count);
  return out;
}

// The same with bounds: those that the step would cross become equalities, one after the other, and are let go again
// when their multiplier says that they are not wanted.
QpSolution solve_subproblem(const Bfgs& B, const VectorXd& g, const std::vector<Constraint>& constraints,
                            const nlp::Layout& layout, const nlp::Point& q) {
  std::vector<SparseRow> rows;
  for (const Constraint& constraint : constraints) rows.push_back(constraint.row);
  const std::size_t fixed = rows.size();
  std::vector<std::pair<int, bool>> active;  // unknown, at its upper bound
  QpSolution solution;
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

// l1 merit with one penalty per squared gap: phi = f + sum nu_j h_j
double merit(double objective, const std::vector<std::vector<double>>& penalties, const nlp::Blocks& blocks) {
  double sum = objective;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j) {
      const double size = length(blocks.chains[c].links[j].gap);
      sum += penalties[c][j] * size * size;
    }
  return sum;
}

// The gap no longer falls as it should (by about 0.9 each time), and is small already.
bool has_stopped_shrinking(const std::vector<Iteration>& trace) {
  constexpr std::size_t span = 20;
  return trace.size() > span && trace.back().gap <= 1e-6 && trace.back().gap > 0.5 * trace[trace.size() - 1 - span].gap;
}

VectorXd lagrangian_gradient(const VectorXd& g, const std::vector<Constraint>& constraints,
                             const std::vector<std::vector<double>>& h_multipliers, const nlp::Layout& layout,
                             const nlp::Gradients& gradients) {
  VectorXd out = g;
  std::size_t next = 0;
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (int j = 0; j < layout.chains[c].links(); ++j) {
      if (!(length(gradients.links[c][j].gap) > 1e-14)) continue;
      const Constraint& constraint = constraints[next++];
      constraint.row.add_to(out, h_multipliers[c][j] * 2 * constraint.size);  // dh/dq = 2|G| a
    }
  return out;
}

}  // namespace

SolveResult scalar_sqp(const nlp::Problem& problem, nlp::Point start, double objective_scale,
                       const SolveOptions& options, const RunContext& context) {
  const nlp::Layout& layout = problem.layout();
  const nlp::GapWeights square{.penalty = 2};  // w_j = 2 G_j: one adjoint gives dh_j
  SolveResult result;
  result.q = std::move(start);
  nlp::Request& request = result.request;
  request = options.request;
  nlp::Gradients gradients;
  Bfgs B(layout.unknowns);
  std::vector<std::vector<double>> penalties;
  for (const auto& chain : layout.chains) penalties.push_back(std::vector<double>(chain.links(), 0.0));

  RunLog log(result, layout.thetas, context);
  const auto note = [&](int iteration, double step, double multiplier) {
    log.note(iteration, gradients.objective, gradients.gap, step, multiplier);
  };
  // Where even short steps bring nothing, the end of the road is near: good enough below this gap.
  constexpr double good_gap = 1e-6;
  const auto end_of_road = [&](std::string trouble) {
    return log.finish(result.gap <= good_gap ? Termination::converged : Termination::stalled, std::move(trouble));
  };

  if (const auto at_start = problem.adjoint(result.q, request, square, gradients); !at_start.ok)
    return log.finish(Termination::numerical_failure, at_start.trouble);
  else
    learn(request, at_start);
  note(0, 0, 0);
  nlp::Blocks trial_blocks;
  bool fresh = true;  // B is the identity

  for (int k = 1; k <= options.max_iterations; ++k) {
    if (context.is_interrupted()) return log.finish(Termination::interrupted);
    if (context.is_past_deadline()) return log.finish(Termination::max_time);

    const std::vector<double> sizes = problem.sizes(result.q);
    VectorXd g = objective_scale * Eigen::Map<const VectorXd>(gradients.objective_by_q.data(), layout.unknowns);
    const std::vector<Constraint> constraints = squared_gap_rows(layout, gradients);
    const QpSolution step = solve_subproblem(B, g, constraints, layout, result.q);
    if (!step.delta.allFinite()) return end_of_road("the quadratic subproblem has no finite solution");

    // Multipliers of h_j itself; they grow like 1/|G_j|, for none exists at the solution.
    std::vector<std::vector<double>> multipliers = penalties;
    double largest_multiplier = 0;
    double descent = g.dot(step.delta);
    std::size_t next = 0;
    for (std::size_t c = 0; c < layout.chains.size(); ++c) {
      for (int j = 0; j < layout.chains[c].links(); ++j) {
        multipliers[c][j] = 0;
        const double size = length(gradients.links[c][j].gap);
        if (!(size > 1e-14)) continue;
        multipliers[c][j] = step.multipliers[next++] / (2 * size);
        largest_multiplier = std::max(largest_multiplier, std::abs(multipliers[c][j]));
        // Penalties follow the multipliers, up at once and down by halves ([Powell78]).
        penalties[c][j] = std::max(std::abs(multipliers[c][j]), 0.5 * (penalties[c][j] + std::abs(multipliers[c][j])));
        descent -= penalties[c][j] * size * size;
      }
    }

    // Armijo line search on the merit.
    double merit_before = objective_scale * gradients.objective;
    for (std::size_t c = 0; c < layout.chains.size(); ++c)
      for (int j = 0; j < layout.chains[c].links(); ++j) {
        const double size = length(gradients.links[c][j].gap);
        merit_before += penalties[c][j] * size * size;
      }
    double fraction = 1;
    nlp::Point trial;
    std::string trouble;
    bool accepted = false;
    for (; fraction > 1e-9; fraction *= 0.5) {
      trial = result.q;
      for (int i = 0; i < layout.unknowns; ++i)
        trial[i] = std::clamp(trial[i] + fraction * step.delta[i], layout.lower[i], layout.upper[i]);
      const auto at_trial = problem.values(trial, request, trial_blocks);
      trouble = at_trial.trouble;
      if (!at_trial.ok) continue;
      const double merit_now = merit(objective_scale * trial_blocks.objective, penalties, trial_blocks);
      if (merit_now <= merit_before + 1e-4 * fraction * std::min(descent, 0.0)) {
        accepted = true;
        break;
      }
    }
    if (!accepted) {
      if (fresh) return end_of_road(trouble);
      B.reset();  // the curvature that was gathered leads nowhere: begin anew from here
      fresh = true;
      --k;
      continue;
    }

    // BFGS on the gradient of the Lagrangian, both at the new multipliers.
    const VectorXd before = lagrangian_gradient(g, constraints, multipliers, layout, gradients);
    if (const auto at_next = problem.adjoint(trial, request, square, gradients); !at_next.ok)
      return end_of_road(at_next.trouble);
    else
      learn(request, at_next);
    const VectorXd g_next =
        objective_scale * Eigen::Map<const VectorXd>(gradients.objective_by_q.data(), layout.unknowns);
    const VectorXd after =
        lagrangian_gradient(g_next, squared_gap_rows(layout, gradients), multipliers, layout, gradients);
    VectorXd s(layout.unknowns);
    double scaled_step = 0;
    for (int i = 0; i < layout.unknowns; ++i) {
      s[i] = trial[i] - result.q[i];
      scaled_step = std::max(scaled_step, std::abs(s[i]) / sizes[i]);
    }
    B.update(s, after - before);
    fresh = false;
    result.q = std::move(trial);
    note(k, scaled_step, largest_multiplier);
    // A feasible point is not yet a solution: the steps must have died down too.
    if (scaled_step <= 1e-4 && gradients.gap <= options.gap_tolerance) return log.finish(Termination::converged);
    if (scaled_step <= 1e-4 && has_stopped_shrinking(result.trace)) return end_of_road({});
  }
  return log.finish(Termination::max_iterations);
}

}  // namespace salvo::solve
