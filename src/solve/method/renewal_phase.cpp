#include "solve/method/nodes_phases.hpp"

namespace salvo::solve {

Proposal RenewalPhase::propose(Nodes&, const State&) { return {.asks = Asks::derivatives}; }

Verdict RenewalPhase::judge(Nodes&, const State&, const Proposal&, const Trial& trial) {
  if (!trial.evaluation.ok) return {.ending = Ending{Ended::not_computable}};
  return {.accepted = true};
}

void RenewalPhase::learn(Nodes&, State& state, const Proposal&, const Trial&, const Verdict&) {
  state.counters.trials = 0;
  state.phase = PhaseName::full;
}

}  // namespace salvo::solve
