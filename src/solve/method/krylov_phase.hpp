#pragma once

#include "solve/method/lagrangian_workspace.hpp"

namespace salvo::solve {

// Steps of Levenberg and Marquardt on the augmented Lagrange function, judged by it.
struct KrylovPhase {
  static constexpr PhaseName name = PhaseName::krylov;
  static constexpr PhaseName followers[] = {PhaseName::krylov};
  static Proposal propose(LagrangianWorkspace& work, const State& state);
  static Verdict judge(LagrangianWorkspace& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(LagrangianWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                    const Verdict& verdict);
  static std::optional<Ending> ends(const LagrangianWorkspace& work, const State& state, const Proposal& proposal);
};

}  // namespace salvo::solve
