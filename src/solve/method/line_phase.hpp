#pragma once

#include "solve/method/scalar_workspace.hpp"

namespace salvo::solve {

// The step of the quadratic subproblem, halved until the merit f + sum nu_j h_j falls as Armijo asks.
struct LinePhase {
  static constexpr PhaseName name = PhaseName::line;
  static constexpr PhaseName followers[] = {PhaseName::line};
  static Proposal propose(ScalarWorkspace& work, const State& state);
  static Verdict judge(ScalarWorkspace& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(ScalarWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                    const Verdict& verdict);
  static std::optional<Ending> ends(const ScalarWorkspace& work, const State& state, const Proposal& proposal);
};

}  // namespace salvo::solve
