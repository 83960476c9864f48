#include "solve/gauss_newton.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "solve/bounded_least_squares.hpp"
#include "solve/elimination.hpp"

namespace salvo::solve {
namespace {

using ConstMap = Eigen::Map<const Eigen::MatrixXd>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;

constexpr double smallest_damping = 1e-5;

// Root mean square of the scaled entries.
double norm(const std::vector<double>& delta, const std::vector<double>& sizes) {
  double sum = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) sum += delta[i] / sizes[i] * (delta[i] / sizes[i]);
  return std::sqrt(sum / std::max<std::size_t>(delta.size(), 1));
}

double largest(const std::vector<double>& delta, const std::vector<double>& sizes) {
  double most = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) most = std::max(most, std::abs(delta[i]) / sizes[i]);
  return most;
}

nlp::Point moved(const nlp::Layout& layout, const nlp::Point& q, const std::vector<double>& delta, double fraction) {
  nlp::Point next = q;
  for (std::size_t i = 0; i < q.size(); ++i)
    next[i] = std::clamp(q[i] + fraction * delta[i], layout.lower[i], layout.upper[i]);
  return next;
}

// Multipliers of the gaps at the linearised solution, by the transposed recursion
//   y_{j-1} = R_j'(r_j + R_j Δ) + G_s,j' y_j
double largest_multiplier(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta) {
  double most = 0;
  const ConstVectorMap theta(delta.data(), layout.thetas);
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    Eigen::VectorXd y;
    for (int j = chain.links(); j >= 1; --j) {
      const nlp::Rows& rows = blocks.chains[c].rows[j];
      const ConstMap by_block(rows.by_block.data.data(), rows.by_block.rows, rows.by_block.cols);
      const ConstMap by_theta(rows.by_theta.data.data(), rows.by_theta.rows, rows.by_theta.cols);
      const ConstVectorMap r(rows.r.data(), static_cast<Eigen::Index>(rows.r.size()));
      const ConstVectorMap v(delta.data() + chain.offset[j], chain.size[j]);
      Eigen::VectorXd next = by_block.transpose() * (r + by_block * v + by_theta * theta);
      if (j < chain.links()) {
        const Matrix& G = blocks.chains[c].links[j].by_block;
        next += ConstMap(G.data.data(), G.rows, G.cols).transpose() * y;
      }
      y = std::move(next);
      if (y.size() > 0) most = std::max(most, y.cwiseAbs().maxCoeff());
    }
  }
  return most;
}

struct Step {
  std::vector<double> delta;
  std::vector<bool> held;
};

Step solve_subproblem(const nlp::Layout& layout, const nlp::Point& q, const nlp::Blocks& blocks,
                      const std::vector<double>& sizes, Elimination& elimination) {
  std::vector<double> lower(layout.thetas);
  std::vector<double> upper(layout.thetas);
  for (int i = 0; i < layout.thetas; ++i) {
    lower[i] = std::min(0.0, (layout.lower[i] - q[i]) / sizes[i]);
    upper[i] = std::max(0.0, (layout.upper[i] - q[i]) / sizes[i]);
  }
  const std::vector<double> f = elimination.reduce(blocks);
  BoundedSolution solution = bounded_least_squares(elimination.theta_rows(), f, lower, upper);
  return {elimination.expand(solution.x), std::move(solution.held)};
}

// The correction that the same linearisation asks for at another point: the natural measure of what is left.
std::vector<double> simplified_correction(Elimination& elimination, const nlp::Blocks& blocks,
                                          const std::vector<bool>& held) {
  const std::vector<double> f = elimination.reduce(blocks);
  return elimination.expand(least_squares(elimination.theta_rows(), f, held));
}

// The fraction of Δ at which its curvature, measured by the correction after `fraction` of it, calls for a halt:
//   |correction - (1 - fraction) Δ| = omega/2 fraction^2 |Δ|^2,   best fraction = 1 / (omega |Δ|)
double best_fraction(double fraction, const std::vector<double>& delta, const std::vector<double>& correction,
                     const std::vector<double>& sizes) {
  std::vector<double> bend(delta.size());
  for (std::size_t i = 0; i < delta.size(); ++i) bend[i] = correction[i] - (1 - fraction) * delta[i];
  const double size = norm(bend, sizes);
  return size > 0 ? 0.5 * fraction * fraction * norm(delta, sizes) / size : 1e10;
}

}  // namespace

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context) {
  const nlp::Layout& layout = problem.layout();
  SolveResult result;
  result.q = std::move(start);
  nlp::Blocks blocks;
  nlp::Blocks trial_blocks;
  double trusted_length = 1e10;  // how long a step may be, by the curvature seen last

  const auto note = [&](int iteration, double step, double multiplier) {
    result.iterations = iteration;
    result.objective = blocks.objective;
    result.gap = blocks.gap;
    result.trace.push_back({iteration, blocks.objective, blocks.gap, step, multiplier,
                            {result.q.begin(), result.q.begin() + layout.thetas}});
    context.tell(IterationDone{iteration, blocks.objective, blocks.gap, step});
  };
  const auto finish = [&](Termination termination, std::string trouble = {}) {
    result.termination = termination;
    result.trouble = std::move(trouble);
    return result;
  };

  if (const nlp::Evaluation at_start = problem.linearize(result.q, blocks); !at_start.ok)
    return finish(Termination::numerical_failure, at_start.trouble);
  note(0, 0, 0);

  for (int k = 1; k <= options.max_iterations; ++k) {
    if (context.is_interrupted()) return finish(Termination::interrupted);
    if (context.is_past_deadline()) return finish(Termination::max_time);

    const std::vector<double> sizes = problem.sizes(result.q);
    Elimination elimination(layout, blocks, sizes);
    const Step step = solve_subproblem(layout, result.q, blocks, sizes, elimination);
    const double length = norm(step.delta, sizes);
    const double multiplier = largest_multiplier(layout, blocks, step.delta);
    if (!std::isfinite(length))
      return finish(Termination::numerical_failure, "the linearised problem has no finite solution");

    // Damped step: the simplified correction must shrink.
    double fraction = std::clamp(trusted_length / length, 1e-2, 1.0);
    const bool last = largest(step.delta, sizes) <= options.tolerance;
    if (last) fraction = 1;
    nlp::Point trial;
    std::string trouble;
    for (;;) {
      trial = moved(layout, result.q, step.delta, fraction);
      const nlp::Evaluation at_trial = problem.values(trial, trial_blocks);
      if (!at_trial.ok) {
        trouble = at_trial.trouble;
        fraction *= 0.5;
      } else {
        const std::vector<double> correction = simplified_correction(elimination, trial_blocks, step.held);
        const double best = best_fraction(fraction, step.delta, correction, sizes);
        trusted_length = best * length;
        if (last || norm(correction, sizes) <= (1 - 0.25 * fraction) * length) break;
        fraction = std::min(0.5 * fraction, best);
      }
      if (fraction < smallest_damping) return finish(Termination::stalled, trouble);
    }

    if (const nlp::Evaluation at_next = problem.linearize(trial, blocks); !at_next.ok)
      return finish(Termination::numerical_failure, at_next.trouble);
    result.q = std::move(trial);
    note(k, fraction * largest(step.delta, sizes), multiplier);
    if (last && blocks.gap <= options.gap_tolerance) return finish(Termination::converged);
  }
  return finish(result.gap > 1e-3 ? Termination::infeasible : Termination::max_iterations);
}

}  // namespace salvo::solve
