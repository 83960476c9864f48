#include "solve/gauss_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nlp/constraints.hpp"
#include "solve/closing_phase.hpp"
#include "solve/elimination.hpp"
#include "solve/gap_multipliers.hpp"
#include "solve/joined_phase.hpp"
#include "solve/run_log.hpp"
#include "solve/steps.hpp"
#include "solve/weak_continuity.hpp"

namespace salvo::solve {
namespace {

// Found on predator-prey campaigns (bench/success_rates_campaign.cpp, docs/decisions/globalisation.md).
constexpr double contraction = 0.25;      // of the correction left after a full step, for the step to stand
constexpr double longest_full_step = 10;  // relative change of an unknown
constexpr double leap_up = 6;             // of a theta's reach: beyond it a full step must also lower objective and gap
constexpr double leap_down = 1.5;
constexpr double first_penalty = 1;  // rho: a relative gap of one costs as much as a residual of one sigma
constexpr double penalty_growth = 10;
constexpr double first_damping = 0.1;           // mu
constexpr double shortest_joined_step = 0.125;  // a smaller part of the step only creeps
constexpr double joined_gap = 1e-4;             // small enough to judge a step by the objective
constexpr double nearly_joined_gap = 1e-2;      // with steps this moderate the flow will not change much any more
constexpr double moderate_step = 0.3;
constexpr double short_step = 1e-3;      // matrices hardly change along it
constexpr double rough_noise = 1e-5;     // of steps during the search
constexpr double invisible_step = 1e-8;  // to those who ask for derivatives
constexpr int most_torn_ends = 10;       // then rounding errors keep it open
constexpr int most_contradictions = 12;
constexpr double open_gap = 1e-6;         // trajectories count as not joined
constexpr double little_progress = 0.1;   // of the sum of squares; then the gaps are taken more seriously
constexpr double negligible_gain = 1e-4;  // of the log-likelihood: a hundredth of a standard error
constexpr int most_idle =
    25;  // iterations with a negligible gain in sight that does not shrink: they wander on flat ground
constexpr double shrinking = 0.9;

// An open gap disturbs the matrices by as much as itself: what it could hide or feign is not acted upon.
double rank_tolerance(const nlp::Blocks& blocks) { return std::clamp(blocks.gap, 1e-9, 1e-3); }

// Where the run has been. A full step that leads to a point worse than one of those, in gap and objective alike, leads
// in a circle.
class Filter {
 public:
  void remember(const nlp::Blocks& blocks) { passed_.push_back({blocks.infeasibility(), blocks.objective}); }
  bool accepts(const nlp::Blocks& blocks) const {
    for (const auto& [gap, objective] : passed_)
      if (blocks.infeasibility() > 0.99 * gap && blocks.objective >= objective) return false;
    return true;
  }

 private:
  std::vector<std::pair<double, double>> passed_;
};

// Whether a parameter that keeps its sign changes by a factor that no linearisation is good for.
bool leaps(const nlp::Layout& layout, const std::vector<double>& delta, const std::vector<double>& sizes) {
  for (std::size_t i = 0; i < layout.reach_up.size(); ++i)
    if (delta[i] > leap_up * layout.reach_up[i] * sizes[i] || delta[i] < -leap_down * layout.reach_down[i] * sizes[i])
      return true;
  return false;
}

// How much of the Gauss-Newton step may be taken; 0: none. The full step stands where the linearisation holds along it:
// what it would still correct at its end is small. Once the trajectories are joined, it is also enough that the
// objective falls while they stay joined, if need be along a part of the step. Where the full step is `expected` to
// stand, its end is linearised at once.
double trusted_fraction(const nlp::Problem& problem, const nlp::Request& request, const nlp::Point& q,
                        const nlp::Blocks& blocks, const Elimination::Step& step, const std::vector<double>& sizes,
                        bool last, bool expected, const Filter& filter, Elimination& elimination, nlp::Point& next,
                        nlp::Blocks& trial, std::vector<double>& correction) {
  const bool joined = blocks.infeasibility() <= joined_gap;
  const bool leap = leaps(problem.layout(), step.delta, sizes);
  for (double fraction = 1; fraction >= (joined ? shortest_joined_step : 1); fraction *= 0.5) {
    next = moved(problem.layout(), q, step.delta, fraction);
    const bool at_once = fraction == 1 && expected;
    if (!(at_once ? problem.linearize(next, request, trial) : problem.values(next, request, trial)).ok) continue;
    if (last) return fraction;
    const bool better = trial.objective <= blocks.objective && trial.infeasibility() <= blocks.infeasibility();
    if (fraction == 1 && (joined || (filter.accepts(trial) && (!leap || better)))) {
      elimination.correct(trial, step, correction);
      if (norm(correction, sizes) <= contraction * norm(step.delta, sizes)) return fraction;
    }
    if (joined && trial.infeasibility() <= joined_gap && trial.objective < blocks.objective) return fraction;
  }
  return 0;
}

// Steps that ask for small gaps only, with trust in the linearisation (mu) and weight of the gaps (rho) learnt on the
// way.
class WeakPhase {
 public:
  struct Outcome {
    bool accepted = false;
    nlp::Point q{};
    double length = 0;
    nlp::Evaluation obstacle{};
  };

  Outcome step(const nlp::Problem& problem, const nlp::Request& request, const nlp::Point& q, const nlp::Blocks& blocks,
               const std::vector<double>& sizes, nlp::Blocks& trial_blocks) {
    const nlp::Layout& layout = problem.layout();
    const std::vector<double> constraint_sizes = nlp::constraint_sizes(layout, blocks, sizes);
    const double before = weak_objective(layout, blocks, sizes, constraint_sizes, rho_);
    Outcome outcome;
    constexpr int most_attempts = 40;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      const WeakStep weak = weak_step(layout, q, blocks, sizes, rho_, mu_);
      outcome.q = moved(layout, q, weak.delta);
      outcome.length = largest(weak.delta, sizes);
      outcome.obstacle = problem.values(outcome.q, request, trial_blocks);
      const double decrease =
          outcome.obstacle.ok ? before - weak_objective(layout, trial_blocks, sizes, constraint_sizes, rho_) : -1;
      const double gain = decrease / weak.predicted;
      if (gain > 0.75) mu_ = std::max(0.2 * mu_, 1e-8);
      if (!(gain > 0.25)) mu_ *= 4;
      if (gain > 1e-3) {
        outcome.accepted = true;
        if (decrease < little_progress * sum_of_squares(layout, blocks, sizes, rho_)) rho_ *= penalty_growth;
        return outcome;
      }
      if (outcome.length < 1e-10) return outcome;
    }
    return outcome;
  }

 private:
  double rho_ = first_penalty;
  double mu_ = first_damping;
};

}  // namespace

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context) {
  return gauss_newton(problem, std::move(start), options, context, {});
}

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context, nlp::Blocks at_start) {
  const nlp::Layout& layout = problem.layout();
  SolveResult result;
  result.q = std::move(start);
  nlp::Blocks blocks = std::move(at_start);
  nlp::Blocks trial_blocks;
  Elimination elimination(layout);
  Elimination::Step step;
  std::vector<double> correction;  // of a full step, by the same matrices
  GapMultipliers multipliers;
  WeakPhase weak_phase;
  JoinedPhase joined_phase(joined_gap);
  Filter filter;
  int contradictions = 0;            // iterations in a row whose linearised constraints cannot all hold
  int torn_ends = 0;                 // how often all but a local gap was small
  int idle = 0;                      // iterations of joined trajectories from which next to nothing could be gained ...
  double least_in_sight = HUGE_VAL;  // ... and no less than this
  bool took_full_step = true;        // nothing speaks against the first step

  nlp::Request& request = result.request;
  request = options.request;
  request.accuracy = options.search_accuracy;
  const auto linearize = [&](const nlp::Point& q) {
    nlp::Evaluation evaluation = problem.linearize(q, request, blocks);
    learn(request, evaluation);
    return evaluation;
  };
  RunLog log(result, layout.thetas, context);
  const auto note = [&](int iteration, double length, double multiplier, std::string_view rule) {
    log.note(iteration, blocks.objective, blocks.gap, length, multiplier,
             request.accuracy > options.request.accuracy ? "search" : "join", rule);
    filter.remember(blocks);
  };

  ClosingPhase closing(problem, request, elimination, options, context, contraction, result, log);
  bool searching = options.search_accuracy > 0;
  const auto end_search = [&] {
    request.accuracy = options.request.accuracy;
    searching = false;
  };
  bool is_rough = false;  // what is known of q, while evaluations are precise: good for one short step
  if (blocks.chains.empty())
    if (const nlp::Evaluation evaluation = linearize(result.q); !evaluation.ok)
      return log.finish(Termination::numerical_failure, evaluation);
  result.violation = blocks.violation;
  note(0, 0, 0, "start");

  for (int k = 1; k <= options.max_iterations; ++k) {
    if (context.is_interrupted()) return log.finish(Termination::interrupted);
    if (context.is_past_deadline()) return log.finish(Termination::max_time);
    if (searching && k > options.search_iterations) {
      end_search();
      if (const nlp::Evaluation at_q = linearize(result.q); !at_q.ok)
        return log.finish(Termination::numerical_failure, at_q);
    }

    const std::vector<double> sizes = problem.sizes(result.q);
    elimination.take(blocks, sizes, rank_tolerance(blocks));
    elimination.solve(blocks, result.q, step);
    write_multipliers(layout, blocks, step.delta, multipliers);
    const double multiplier = largest(multipliers);
    double length = largest(step.delta, sizes);
    if (options.stop_when_joined && k == 1 && blocks.infeasibility() <= nearly_joined_gap && length <= short_step) {
      result.linearized = std::move(blocks);
      return log.finish(Termination::joined);
    }
    if (searching && took_full_step && length <= std::max(short_step, options.tolerance) &&
        blocks.infeasibility() <= nearly_joined_gap) {
      end_search();
      is_rough = true;
    }
    const bool last = length <= options.tolerance && !searching && !is_rough;
    // A start that is as good as joined may be the end, and a step that rough evaluations cannot tell from none
    // leads nowhere: both points are linearised again.
    bool is_stale = is_rough && (k == 1 || length <= rough_noise) && !closing.serves(step);
    if (!is_stale && !options.stop_when_joined && took_full_step && !last && length <= short_step &&
        blocks.infeasibility() <= joined_gap && closing.serves(step)) {
      const int before = k;
      if (closing.converges(blocks, sizes, multipliers, step.delta, is_rough, k))
        return log.finish(Termination::converged);
      is_stale = is_rough || k > before;
    }

    nlp::Point next;
    const bool expected = took_full_step && !last;
    double fraction = 0;
    if (!is_stale && length <= longest_full_step)
      fraction = trusted_fraction(problem, request, result.q, blocks, step, sizes, last || is_rough, expected, filter,
                                  elimination, next, trial_blocks, correction);
    is_stale = is_stale || (is_rough && fraction < 1);
    is_rough = false;
    if (is_stale) {
      if (const nlp::Evaluation at_q = linearize(result.q); !at_q.ok)
        return log.finish(Termination::numerical_failure, at_q);
      --k;  // it begins again
      continue;
    }
    length *= fraction;
    took_full_step = fraction == 1;
    const bool joined = blocks.infeasibility() <= joined_gap;
    const bool closed_here = is_closed(blocks, options);
    const double in_sight = joined ? foreseen_gain(layout, blocks, step.delta) : HUGE_VAL;
    result.promised = in_sight;
    if (in_sight <= negligible_gain && in_sight > shrinking * least_in_sight) ++idle;
    least_in_sight = std::min(least_in_sight, in_sight);
    const bool flat = closed_here && in_sight <= negligible_gain;
    if (flat && idle > most_idle) {
      result.linearized = std::move(blocks);
      return log.finish(Termination::converged);
    }
    std::string_view rule = fraction == 1 ? "full" : "part of full";
    JoinedPhase::Outcome along;
    if (fraction == 0 && joined) along = joined_phase.step(problem, request, result.q, blocks, sizes, trial_blocks);
    if (along.accepted) {
      next = std::move(along.q);
      length = along.length;
      rule = "damped";
    } else if (fraction == 0) {
      WeakPhase::Outcome outcome = weak_phase.step(problem, request, result.q, blocks, sizes, trial_blocks);
      if (!outcome.accepted && flat) {
        result.linearized = std::move(blocks);
        return log.finish(Termination::converged);
      }
      if (!outcome.accepted && blocks.violation > open_gap) result.conflict = step.conflict;
      if (!outcome.accepted)
        return log.finish(blocks.infeasibility() > open_gap ? Termination::infeasible : Termination::stalled,
                          outcome.obstacle);
      next = std::move(outcome.q);
      length = outcome.length;
      rule = "penalty";
    }
    // Where the run may end, derivatives are only needed if it does not.
    const bool ends = last && fraction == 1 && is_closed(trial_blocks, options);
    if (ends) {
      if (length <= invisible_step) result.linearized = std::move(blocks);
      blocks = std::move(trial_blocks);
    } else if (took_full_step && expected) {
      std::swap(blocks, trial_blocks);
    } else if (const nlp::Evaluation at_next = linearize(next); !at_next.ok) {
      return log.finish(Termination::numerical_failure, at_next);
    }
    result.q = std::move(next);
    result.violation = blocks.violation;
    result.multipliers = step.multipliers;
    note(k, length, multiplier, rule);
    const bool closed = blocks.infeasibility() <= options.gap_tolerance;
    if (ends || (last && closed && (is_closed(blocks, options) || ++torn_ends > most_torn_ends)))
      return log.finish(Termination::converged);
    contradictions = step.conflict.empty() ? 0 : contradictions + 1;
    if (contradictions > 0 && (last || contradictions > most_contradictions)) {
      result.conflict = step.conflict;
      return log.finish(Termination::infeasible);
    }
    if (options.stop_when_joined && fraction == 1 && blocks.infeasibility() <= nearly_joined_gap &&
        length <= moderate_step) {
      result.linearized = std::move(blocks);
      return log.finish(Termination::joined);
    }
  }
  return log.finish(Termination::max_iterations);
}

}  // namespace salvo::solve
