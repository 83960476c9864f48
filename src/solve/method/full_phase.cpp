#include <algorithm>
#include <utility>

#include "solve/accept/filter.hpp"
#include "solve/method/nodes_phases.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

// Steps have become short, and gaps small: the search is over, and what it knows is good for one more step.
bool is_search_over(const Nodes& work, const State& state, double length) {
  return state.is_searching && state.took_full_step &&
         length <= std::max(work.rules().short_step, work.options.tolerance) &&
         work.blocks.infeasibility() <= work.options.rules.gaps.nearly_joined;
}

// What is known of the point is stale: a start that is as good as joined may be the end, and a step that rough
// evaluations cannot tell from none leads nowhere.
bool is_stale(Nodes& work, const State& state, double length) {
  return state.is_rough && (state.counters.iterations == 0 || length <= work.rules().rough) && !work.can_freeze(state);
}

bool may_freeze(Nodes& work, const State& state, double length) {
  return state.counters.trials == 0 && !work.options.stop_when_joined && state.took_full_step && !work.is_last(state) &&
         length <= work.rules().short_step && work.is_joined() && work.can_freeze(state);
}

bool may_stop_joined(const Nodes& work, const State& state, double length) {
  return work.options.stop_when_joined && state.counters.iterations == 0 && length <= work.rules().short_step &&
         work.blocks.infeasibility() <= work.options.rules.gaps.nearly_joined;
}

bool is_linear(Nodes& work, const State& state) {
  const LinearStep& linear = work.last_step();
  const Passed next{work.trial_blocks.infeasibility(), work.trial_blocks.objective};
  if (!work.is_joined() && !passes_filter(state.passed, next, work.options.rules.gaps.filter_margin)) return false;
  work.elimination.correct(work.trial_blocks, linear.step, work.correction);
  return norm(work.correction, linear.sizes) <=
         work.options.rules.trust.contraction * norm(linear.step.delta, linear.sizes);
}

}  // namespace

Proposal FullPhase::propose(Nodes& work, const State& state) {
  if (state.is_searching && state.counters.iterations >= work.options.search_iterations)
    return leaving_to(PhaseName::renewal);
  const LinearStep& linear = work.linear_step(state);
  if (may_stop_joined(work, state, linear.length)) return ending_with({Ended::joined, true});
  if (is_search_over(work, state, linear.length)) return leaving_to(PhaseName::full);
  if (is_stale(work, state, linear.length)) return leaving_to(PhaseName::renewal);
  if (may_freeze(work, state, linear.length)) return leaving_to(PhaseName::frozen);
  if (linear.length > work.rules().longest_full_step) {
    if (is_flat_and_idle(work, state)) return ending_with({Ended::tolerance, true});
    return leaving_to(work.is_joined() ? PhaseName::damped : PhaseName::penalty);
  }
  const bool is_last = work.leaves_nothing(state);
  // Where the step is expected to stand, its end is linearised at once, unless the derivatives in hand serve there too.
  const bool is_linearised = state.took_full_step && !(is_last && work.derivatives_serve(linear.length));
  return {.delta = linear.step.delta,
          .length = linear.length,
          .is_last = is_last,
          .asks = is_linearised ? Asks::derivatives : Asks::values};
}

Verdict FullPhase::judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial) {
  // Steps that rough trajectories would not tell from none are judged by the step after them.
  const bool is_short = proposal.length <= (work.is_joined() ? std::max(work.rules().rough, work.options.tolerance)
                                                             : work.options.tolerance);
  const bool stands =
      trial.evaluation.ok && (is_short || state.is_rough || is_linear(work, state) || falls_joined(work));
  if (state.is_rough && !stands) return {};
  if (is_flat_and_idle(work, state)) return {.ending = Ending{Ended::tolerance, true}};
  if (!stands) return {};
  Verdict verdict{.accepted = true, .rule = "full"};
  if (proposal.is_last && is_closed(work.trial_blocks, work.options))
    verdict.ending = Ending{Ended::tolerance, trial.has_derivatives || work.derivatives_serve(proposal.length)};
  return verdict;
}

void FullPhase::learn(Nodes& work, State& state, const Proposal& proposal, const Trial&, const Verdict& verdict) {
  if (proposal.leave) {
    const PhaseName next = proposal.leave->to;
    if (next == PhaseName::full || next == PhaseName::renewal) end_search(work, state);
    state.is_rough = next == PhaseName::full || (next == PhaseName::frozen && state.is_rough);
    if (next == PhaseName::frozen) {
      ++state.counters.frozen_phases;
      state.multipliers = work.last_step().multipliers;
      state.pending.clear();
    } else if (next == PhaseName::damped || next == PhaseName::penalty) {
      note_promise(work, state);
      state.took_full_step = false;
    }
    state.counters.attempts = 0;
    state.phase = verdict.ending ? state.phase : next;
    return;
  }
  const bool is_stale = std::exchange(state.is_rough, false) && !verdict.accepted;
  if (is_stale) {
    state.phase = PhaseName::renewal;
    return;
  }
  note_promise(work, state);
  if (verdict.ending && !verdict.accepted) return;
  state.took_full_step = verdict.accepted;
  if (verdict.accepted) return count_step(work, proposal, state);
  state.fraction = 0.5;
  state.counters.attempts = 0;
  state.phase = work.is_joined() ? PhaseName::part : PhaseName::penalty;
}

}  // namespace salvo::solve
