#include "solve/method/scalar_sqp.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/quadratic/scalar_subproblem.hpp"
#include "solve/method/run_log.hpp"

namespace salvo::solve {
namespace {

using Eigen::VectorXd;

// The gap no longer falls as it should, and is small already.
bool has_stopped_shrinking(const std::vector<Iteration>& trace, std::size_t span) {
  return trace.size() > span && trace.back().gap <= joined_gap &&
         trace.back().gap > 0.5 * trace[trace.size() - 1 - span].gap;
}

// The paper's method: SQP with BFGS and an l1 merit f + sum nu_j h_j, one penalty nu_j for each squared gap h_j.
class ScalarSqp {
 public:
  ScalarSqp(const nlp::Problem& problem, nlp::Point start, double objective_scale, const SolveOptions& options,
            const RunContext& context)
      : problem_(problem),
        layout_(problem.layout()),
        scale_(objective_scale),
        options_(options),
        rules_(options.rules.scalar),
        context_(context),
        log_(result_, problem.layout().thetas, context),
        B_(problem.layout().unknowns) {
    result_.q = std::move(start);
    result_.request = options.request;
    for (const auto& chain : layout_.chains) penalties_.push_back(std::vector<double>(chain.links(), 0.0));
  }

  SolveResult run() {
    if (const auto at_start = linearize(result_.q); !at_start.ok)
      return log_.finish(Termination::numerical_failure, at_start.trouble);
    note(0, 0, 0, "start");
    for (int k = 1; k <= options_.max_iterations;) {
      if (context_.is_interrupted()) return log_.finish(Termination::interrupted);
      if (context_.is_past_deadline()) return log_.finish(Termination::max_time);
      const VectorXd g = gradient();
      const std::vector<SquaredGap> constraints = squared_gap_rows(layout_, gradients_);
      const ScalarStep step = solve_subproblem(B_, g, constraints, layout_, result_.q);
      if (!step.delta.allFinite()) return end_of_road("the quadratic subproblem has no finite solution");
      set_multipliers(step);
      if (!search_along(step.delta, g.dot(step.delta) - penalised_gaps())) {
        if (is_fresh_) return end_of_road(trouble_);
        B_.reset();  // the curvature that was gathered leads nowhere: begin again from here
        is_fresh_ = true;
        continue;
      }
      const std::vector<double> sizes = problem_.sizes(result_.q);
      const VectorXd before = lagrangian_gradient(g, constraints);
      if (const auto at_next = linearize(trial_); !at_next.ok) return end_of_road(at_next.trouble);
      const double length = advance(before, sizes);
      note(k++, length, largest_multiplier_, "line search");
      // A feasible point is not yet a solution: the steps must have died down too.
      if (length <= rules_.died_down && gradients_.gap <= options_.gap_tolerance)
        return log_.finish(Termination::converged);
      if (length <= rules_.died_down && has_stopped_shrinking(result_.trace, rules_.span_of_shrinking))
        return end_of_road({});
    }
    return log_.finish(Termination::max_iterations);
  }

 private:
  void note(int k, double length, double multiplier, std::string_view rule) {
    log_.note(k, gradients_.objective, gradients_.gap, length, multiplier, "scalar", rule);
  }
  // Where even short steps bring nothing, the end of the road is near: good enough if the trajectories are joined.
  SolveResult end_of_road(const std::string& trouble) {
    return log_.finish(result_.gap <= joined_gap ? Termination::converged : Termination::stalled, trouble);
  }

  nlp::Evaluation linearize(const nlp::Point& q) {
    const nlp::GapWeights square{.penalty = 2};  // w_j = 2 G_j: one adjoint gives dh_j
    const nlp::Evaluation at = problem_.adjoint(q, result_.request, square, gradients_);
    if (at.ok) learn(result_.request, at);
    return at;
  }
  VectorXd gradient() const {
    return scale_ * Eigen::Map<const VectorXd>(gradients_.objective_by_q.data(), layout_.unknowns);
  }

  // Multipliers of h_j itself; they grow like 1/|G_j|, for none exists at the solution. Penalties follow them, up at
  // once and down by halves ([Powell78]).
  void set_multipliers(const ScalarStep& step) {
    multipliers_ = penalties_;
    largest_multiplier_ = 0;
    std::size_t next = 0;
    for (std::size_t c = 0; c < layout_.chains.size(); ++c)
      for (int j = 0; j < layout_.chains[c].links(); ++j) {
        multipliers_[c][j] = 0;
        const std::vector<double>& gap = gradients_.links[c][j].gap;
        if (!is_open(gap)) continue;
        multipliers_[c][j] = step.multipliers[next++] / (2 * length(gap));
        const double size = std::abs(multipliers_[c][j]);
        largest_multiplier_ = std::max(largest_multiplier_, size);
        penalties_[c][j] = std::max(size, 0.5 * (penalties_[c][j] + size));
      }
  }
  double penalised_gaps() const {
    double sum = 0;
    for (std::size_t c = 0; c < layout_.chains.size(); ++c)
      for (int j = 0; j < layout_.chains[c].links(); ++j)
        sum += penalties_[c][j] * std::pow(length(gradients_.links[c][j].gap), 2);
    return sum;
  }
  double merit(const nlp::Blocks& blocks) const {
    double sum = scale_ * blocks.objective;
    for (std::size_t c = 0; c < blocks.chains.size(); ++c)
      for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j)
        sum += penalties_[c][j] * std::pow(length(blocks.chains[c].links[j].gap), 2);
    return sum;
  }

  // Armijo line search on the merit; the point that it accepts is in trial_.
  bool search_along(const VectorXd& delta, double descent) {
    const double before = scale_ * gradients_.objective + penalised_gaps();
    for (double fraction = 1; fraction > rules_.shortest_fraction; fraction *= 0.5) {
      trial_ = result_.q;
      for (int i = 0; i < layout_.unknowns; ++i)
        trial_[i] = std::clamp(trial_[i] + fraction * delta[i], layout_.lower[i], layout_.upper[i]);
      const auto at_trial = problem_.values(trial_, result_.request, trial_blocks_);
      trouble_ = at_trial.trouble;
      if (at_trial.ok && merit(trial_blocks_) <= before + rules_.armijo * fraction * std::min(descent, 0.0))
        return true;
    }
    return false;
  }

  VectorXd lagrangian_gradient(const VectorXd& g, const std::vector<SquaredGap>& constraints) const {
    VectorXd out = g;
    std::size_t next = 0;
    for (std::size_t c = 0; c < layout_.chains.size(); ++c)
      for (int j = 0; j < layout_.chains[c].links(); ++j) {
        if (!is_open(gradients_.links[c][j].gap)) continue;
        const SquaredGap& constraint = constraints[next++];
        constraint.row.add_to(out, multipliers_[c][j] * 2 * constraint.size);  // dh/dq = 2|G| a
      }
    return out;
  }

  // BFGS on the gradient of the Lagrangian, both at the new multipliers; the scaled length of the step.
  double advance(const VectorXd& before, const std::vector<double>& sizes) {
    const VectorXd after = lagrangian_gradient(gradient(), squared_gap_rows(layout_, gradients_));
    VectorXd s(layout_.unknowns);
    double scaled = 0;
    for (int i = 0; i < layout_.unknowns; ++i) {
      s[i] = trial_[i] - result_.q[i];
      scaled = std::max(scaled, std::abs(s[i]) / sizes[i]);
    }
    B_.update(s, after - before);
    is_fresh_ = false;
    result_.q = std::move(trial_);
    return scaled;
  }

  const nlp::Problem& problem_;
  const nlp::Layout& layout_;
  double scale_;  // of the objective
  const SolveOptions& options_;
  const ScalarRules& rules_;
  const RunContext& context_;
  SolveResult result_{};
  RunLog log_;
  Bfgs B_;
  bool is_fresh_ = true;  // B is the identity
  nlp::Gradients gradients_{};
  std::vector<std::vector<double>> penalties_{}, multipliers_{};
  double largest_multiplier_ = 0;
  nlp::Point trial_{};
  nlp::Blocks trial_blocks_{};
  std::string trouble_{};
};

}  // namespace

SolveResult scalar_sqp(const nlp::Problem& problem, nlp::Point start, double objective_scale,
                       const SolveOptions& options, const RunContext& context) {
  return ScalarSqp(problem, std::move(start), objective_scale, options, context).run();
}

}  // namespace salvo::solve
