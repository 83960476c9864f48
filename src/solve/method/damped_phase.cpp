#include "solve/accept/damping.hpp"
#include "solve/method/nodes_phases.hpp"
#include "solve/step/penalty_step.hpp"
#include "solve/step/predicted_gain.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {

Proposal DampedPhase::propose(Nodes& work, const State& state) {
  const TrustRules& rules = work.options.rules.trust;
  if (state.counters.attempts >= most_attempts) return leaving_to(PhaseName::penalty);
  const std::vector<double>& sizes = work.linear_step(state).sizes;
  Proposal proposal{.is_last = work.is_last(state)};
  proposal.delta = penalty_step(work.layout, state.point, work.blocks, sizes, work.options.rules.penalty.highest,
                                state.damping_joined, work.options.rules)
                       .delta;
  proposal.length = largest(proposal.delta, sizes);
  if (proposal.length < rules.shortest_step) return leaving_to(PhaseName::penalty);
  proposal.predicted = predicted_gain(work.layout, work.blocks, proposal.delta);
  return proposal;
}

Verdict DampedPhase::judge(Nodes& work, const State&, const Proposal& proposal, const Trial& trial) {
  const bool is_joined = trial.evaluation.ok && work.trial_blocks.infeasibility() <= work.options.rules.gaps.comparable;
  const double gain = is_joined && proposal.predicted > 0
                          ? (work.blocks.objective - work.trial_blocks.objective) / proposal.predicted
                          : -1;
  return {.accepted = is_acceptable(gain, work.options.rules.trust), .rule = "damped", .gain = gain};
}

void DampedPhase::learn(Nodes& work, State& state, const Proposal& proposal, const Trial&, const Verdict& verdict) {
  if (proposal.leave) {
    state.counters.attempts = 0;
    state.phase = proposal.leave->to;
    return;
  }
  state.damping_joined = damping_after(state.damping_joined, verdict.gain, work.options.rules);
  ++state.counters.attempts;
  if (verdict.accepted) count_step(work, proposal, state);
}

}  // namespace salvo::solve
