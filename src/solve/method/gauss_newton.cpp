#include "solve/method/gauss_newton.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "solve/elimination/elimination.hpp"
#include "solve/elimination/gap_multipliers.hpp"
#include "solve/method/frozen_phase.hpp"
#include "solve/method/joined_phase.hpp"
#include "solve/method/penalty_phase.hpp"
#include "solve/method/run_log.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

constexpr double invisible_step = 1e-8;  // to those who ask for derivatives

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

// One run. What an iteration leaves to the next is in its members; `Iterate` is what its parts hand on to each other.
class GaussNewton {
 public:
  GaussNewton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options, const RunContext& context,
              nlp::Blocks at_start)
      : problem_(problem),
        layout_(problem.layout()),
        options_(options),
        rules_(options.rules.gauss_newton),
        context_(context),
        log_(result_, problem.layout().thetas, context),
        blocks_(std::move(at_start)),
        elimination_(problem.layout()),
        penalty_phase_(options.rules),
        joined_phase_(options.rules.damping, comparable_gap),
        frozen_(problem, result_.request, elimination_, options, context, result_, log_),
        searching_(options.search_accuracy > 0) {
    result_.q = std::move(start);
    result_.request = options.request;
    result_.request.accuracy = options.search_accuracy;
  }

  SolveResult run() {
    if (blocks_.chains.empty() && !linearize(result_.q)) return end();
    result_.violation = blocks_.violation;
    note(0, {.rule = "start"});
    for (int k = 1; k <= options_.max_iterations; ++k) {
      if (context_.is_interrupted()) return log_.finish(Termination::interrupted);
      if (context_.is_past_deadline()) return log_.finish(Termination::max_time);
      if (options_.is_spent && options_.is_spent()) break;
      if (!search_goes_on(k)) return end();
      Iterate it = linear_step();
      if (may_stop_joined(k, it)) return end_at(Termination::joined);
      const bool is_stale = closes(k, it);
      if (ends_) return end();
      if (!trust(it, is_stale)) {  // what is known of the point is too rough: it begins again
        if (!linearize(result_.q)) return end();
        --k;
        continue;
      }
      if (is_flat_and_idle(it)) return end_at(Termination::converged);
      if (it.fraction == 0 && !take_other_step(it)) return end();
      if (!advance(it)) return end();
      note(k, it);
      if (is_done(it)) return end();
    }
    return log_.finish(Termination::max_iterations);
  }

 private:
  struct Iterate {
    std::vector<double> sizes{};
    double multiplier = 0;  // largest
    double length = 0;      // of the step, scaled
    bool last = false;      // as short as was asked for
    bool expected = false;  // to stand
    double fraction = 0;    // of the full step that is taken; 0: another kind of step
    nlp::Point next{};
    bool joined = false;
    bool flat = false;  // closed, with next to nothing to be gained
    bool ends = false;  // here
    std::string_view rule{};
  };

  SolveResult end() { return log_.finish(*ends_, obstacle_); }
  SolveResult end_at(Termination termination) {
    result_.linearized = std::move(blocks_);
    return log_.finish(termination);
  }
  bool ends_with(Termination termination, const nlp::Evaluation& obstacle = {}) {
    ends_ = termination;
    obstacle_ = obstacle;
    return false;
  }
  bool linearize(const nlp::Point& q) {
    const nlp::Evaluation evaluation = problem_.linearize(q, result_.request, blocks_);
    learn(result_.request, evaluation);
    return evaluation.ok || ends_with(Termination::numerical_failure, evaluation);
  }
  void note(int k, const Iterate& it) {
    log_.note(k, blocks_.objective, blocks_.gap, it.length, it.multiplier,
              result_.request.accuracy > options_.request.accuracy ? "search" : "join", it.rule);
    filter_.remember(blocks_);
  }

  void end_search() {
    result_.request.accuracy = options_.request.accuracy;
    searching_ = false;
  }
  // A search without end leaves iterations for what comes after it.
  bool search_goes_on(int k) {
    if (!searching_ || k <= options_.search_iterations) return true;
    end_search();
    return linearize(result_.q);
  }

  Iterate linear_step() {
    Iterate it{.sizes = problem_.sizes(result_.q)};
    elimination_.take(blocks_, it.sizes, rank_tolerance(blocks_));
    elimination_.solve(blocks_, result_.q, step_);
    write_multipliers(layout_, blocks_, step_.delta, recursion_, multipliers_);
    it.multiplier = largest(multipliers_);
    it.length = largest(step_.delta, it.sizes);
    return it;
  }
  bool may_stop_joined(int k, const Iterate& it) const {
    return options_.stop_when_joined && k == 1 && blocks_.infeasibility() <= nearly_joined_gap &&
           it.length <= rules_.short_step;
  }

  // Where steps are short, the search is over, and frozen-Jacobian steps may finish the run. True if what is known of
  // the point is stale: a start that is as good as joined may be the end, and a step that rough evaluations cannot tell
  // from none leads nowhere.
  bool closes(int& k, Iterate& it) {
    if (searching_ && took_full_step_ && it.length <= std::max(rules_.short_step, options_.tolerance) &&
        blocks_.infeasibility() <= nearly_joined_gap) {
      end_search();
      is_rough_ = true;
    }
    it.last = it.length <= options_.tolerance && !searching_ && !is_rough_;
    it.expected = took_full_step_ && !it.last;
    if (is_rough_ && (k == 1 || it.length <= rules_.rough_noise) && !frozen_.serves(step_)) return true;
    if (options_.stop_when_joined || !it.expected || it.length > rules_.short_step ||
        blocks_.infeasibility() > comparable_gap || !frozen_.serves(step_))
      return false;
    const int before = k;
    if (frozen_.converges(blocks_, it.sizes, multipliers_, step_.delta, is_rough_, k))
      ends_with(Termination::converged);
    return is_rough_ || k > before;
  }

  // How much of the Gauss-Newton step may be taken to it.next; 0: none. The full step stands where the linearisation
  // holds along it: what it would still correct at its end is small. Once the trajectories are joined, it is also
  // enough that the objective falls while they stay joined, if need be along a part of the step.
  double trusted_fraction(Iterate& it) {
    if (it.length > rules_.longest_full_step) return 0;
    for (double fraction = 1; fraction >= (it.joined ? rules_.shortest_part : 1); fraction *= 0.5) {
      it.next = moved(layout_, result_.q, step_.delta, fraction);
      // Where the full step is expected to stand, its end is linearised at once.
      const bool at_once = fraction == 1 && it.expected;
      const nlp::Evaluation at = at_once ? problem_.linearize(it.next, result_.request, trial_blocks_)
                                         : problem_.values(it.next, result_.request, trial_blocks_);
      if (at.ok && (it.last || is_rough_ || (fraction == 1 && is_linear(it)) || goes_down(it))) return fraction;
    }
    return 0;
  }
  bool is_linear(const Iterate& it) {
    if (!it.joined && !filter_.accepts(trial_blocks_)) return false;
    elimination_.correct(trial_blocks_, step_, correction_);
    return norm(correction_, it.sizes) <= rules_.contraction * norm(step_.delta, it.sizes);
  }
  bool goes_down(const Iterate& it) const {
    return it.joined && trial_blocks_.infeasibility() <= comparable_gap && trial_blocks_.objective < blocks_.objective;
  }

  // How much of the full step stands; false if that cannot be told from here.
  bool trust(Iterate& it, bool is_stale) {
    it.joined = blocks_.infeasibility() <= comparable_gap;
    if (!is_stale) it.fraction = trusted_fraction(it);
    const bool known = !is_stale && !(is_rough_ && it.fraction < 1);
    is_rough_ = false;
    if (!known) return false;
    it.length *= it.fraction;
    took_full_step_ = it.fraction == 1;
    it.rule = it.fraction == 1 ? "full" : "part of full";
    return true;
  }

  // Joined trajectories from which next to nothing could be gained, for many iterations: they wander on flat ground.
  bool is_flat_and_idle(Iterate& it) {
    const double in_sight = it.joined ? foreseen_gain(layout_, blocks_, step_.delta) : HUGE_VAL;
    result_.promised = in_sight;
    if (in_sight <= rules_.negligible_gain && in_sight > rules_.shrinking * least_in_sight_) ++idle_;
    least_in_sight_ = std::min(least_in_sight_, in_sight);
    it.flat = is_closed(blocks_, options_) && in_sight <= rules_.negligible_gain;
    return it.flat && idle_ > rules_.most_idle;
  }

  // Damped along joined trajectories, or with a penalty on the gaps; false if neither leads on.
  bool take_other_step(Iterate& it) {
    if (it.joined) {
      JoinedPhase::Outcome along =
          joined_phase_.step(problem_, result_.request, result_.q, blocks_, it.sizes, context_, trial_blocks_);
      if (along.accepted) {
        it.next = std::move(along.q);
        it.length = along.length;
        it.rule = "damped";
        return true;
      }
    }
    PenaltyPhase::Outcome outcome =
        penalty_phase_.step(problem_, result_.request, result_.q, blocks_, it.sizes, context_, trial_blocks_);
    if (!outcome.accepted && context_.should_stop())
      return ends_with(context_.is_interrupted() ? Termination::interrupted : Termination::max_time);
    if (!outcome.accepted) {
      if (it.flat) {
        result_.linearized = std::move(blocks_);
        return ends_with(Termination::converged);
      }
      if (blocks_.violation > joined_gap) result_.conflict = step_.conflict;
      return ends_with(blocks_.infeasibility() > joined_gap ? Termination::infeasible : Termination::stalled,
                       outcome.obstacle);
    }
    it.next = std::move(outcome.q);
    it.length = outcome.length;
    it.rule = "penalty";
    return true;
  }

  // Goes there. Where the run may end, derivatives are only needed if it does not.
  bool advance(Iterate& it) {
    it.ends = it.last && it.fraction == 1 && is_closed(trial_blocks_, options_);
    if (it.ends) {
      if (it.length <= invisible_step) result_.linearized = std::move(blocks_);
      blocks_ = std::move(trial_blocks_);
    } else if (took_full_step_ && it.expected) {
      std::swap(blocks_, trial_blocks_);
    } else if (!linearize(it.next)) {
      return false;
    }
    result_.q = std::move(it.next);
    result_.violation = blocks_.violation;
    result_.multipliers = step_.multipliers;
    return true;
  }

  // Whether the point that was reached is an end, and which.
  bool is_done(const Iterate& it) {
    const bool closed = blocks_.infeasibility() <= options_.gap_tolerance;
    if (it.ends || (it.last && closed && (is_closed(blocks_, options_) || ++torn_ends_ > rules_.most_torn_ends)))
      return !ends_with(Termination::converged);
    contradictions_ = step_.conflict.empty() ? 0 : contradictions_ + 1;
    if (contradictions_ > 0 && (it.last || contradictions_ > rules_.most_contradictions)) {
      result_.conflict = step_.conflict;
      return !ends_with(Termination::infeasible);
    }
    if (options_.stop_when_joined && it.fraction == 1 && blocks_.infeasibility() <= nearly_joined_gap &&
        it.length <= rules_.moderate_step) {
      result_.linearized = std::move(blocks_);
      return !ends_with(Termination::joined);
    }
    return false;
  }

  const nlp::Problem& problem_;
  const nlp::Layout& layout_;
  const SolveOptions& options_;
  const GaussNewtonRules& rules_;
  const RunContext& context_;
  SolveResult result_{};
  RunLog log_;
  nlp::Blocks blocks_;  // at result_.q, with derivatives
  nlp::Blocks trial_blocks_{};
  Elimination elimination_;
  Elimination::Step step_{};
  std::vector<double> correction_{};  // of a full step, by the same matrices
  RecursionRoom recursion_{};
  GapMultipliers multipliers_{};
  PenaltyPhase penalty_phase_;
  JoinedPhase joined_phase_;
  FrozenPhase frozen_;
  Filter filter_{};
  std::optional<Termination> ends_{};
  nlp::Evaluation obstacle_{};
  bool searching_;
  bool is_rough_ = false;             // what is known of q, while evaluations are precise: good for one short step
  bool took_full_step_ = true;        // nothing speaks against the first step
  int contradictions_ = 0;            // iterations in a row whose linearised constraints cannot all hold
  int torn_ends_ = 0;                 // how often all but a local gap was small
  int idle_ = 0;                      // iterations from which next to nothing could be gained ...
  double least_in_sight_ = HUGE_VAL;  // ... and no less than this
};

}  // namespace

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context) {
  return gauss_newton(problem, std::move(start), options, context, {});
}

SolveResult gauss_newton(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                         const RunContext& context, nlp::Blocks at_start) {
  return GaussNewton(problem, std::move(start), options, context, std::move(at_start)).run();
}

}  // namespace salvo::solve
