#pragma once

#include "solve/method/observers.hpp"
#include "solve/method/phase.hpp"

namespace salvo::solve {

// The first row of every table: the start is linearised, or the run ends with the reason why it cannot be.
template <class Workspace, PhaseName next>
struct StartPhase {
  static constexpr PhaseName name = PhaseName::start;
  static constexpr PhaseName followers[] = {next};

  static Proposal propose(Workspace&, const State&) { return {.asks = Asks::derivatives}; }
  static Verdict judge(Workspace&, const State&, const Proposal&, const Trial& trial) {
    if (!trial.evaluation.ok) return {.ending = Ending{Ended::not_computable}};
    return {.accepted = true, .rule = start_rule};
  }
  static void learn(Workspace& work, State& state, const Proposal&, const Trial&, const Verdict& verdict) {
    if (!verdict.accepted) return;
    work.begin(state);
    state.phase = next;
  }
  static std::optional<Ending> ends(const Workspace&, const State&, const Proposal&) { return std::nullopt; }
};

}  // namespace salvo::solve
