#include "solve/method/nodes_phases.hpp"

namespace salvo::solve {

Proposal PartPhase::propose(Nodes& work, const State& state) {
  if (state.fraction < work.rules().shortest_part) return leaving_to(PhaseName::damped);
  const LinearStep& linear = work.linear_step(state);
  return {
      .delta = linear.step.delta, .length = linear.length, .fraction = state.fraction, .is_last = work.is_last(state)};
}

Verdict PartPhase::judge(Nodes& work, const State&, const Proposal& proposal, const Trial& trial) {
  if (!trial.evaluation.ok || !(proposal.is_last || falls_joined(work))) return {};
  return {.accepted = true, .rule = "part of full"};
}

void PartPhase::learn(Nodes& work, State& state, const Proposal& proposal, const Trial&, const Verdict& verdict) {
  if (verdict.accepted) return count_step(work, proposal, state);
  state.fraction *= 0.5;
  if (!proposal.leave) return;
  state.counters.attempts = 0;
  state.phase = proposal.leave->to;
}

}  // namespace salvo::solve
