#pragma once

#include "solve/method/descent_workspace.hpp"

// The phases of a descent, each in the file of its name.
namespace salvo::solve {

// The step that the quadratic model asks for within a radius, bent where the valley is (docs/mathematics.md, eq. 47 to
// 50); it stands where the objective falls by a part of what was promised, or by no less than can be told.
struct RadiusPhase {
  static constexpr PhaseName name = PhaseName::radius;
  static constexpr PhaseName followers[] = {PhaseName::radius, PhaseName::hessian, PhaseName::last_hessian};
  static Proposal propose(DescentWorkspace& work, const State& state);
  static Verdict judge(DescentWorkspace& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(DescentWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                    const Verdict& verdict);
  static std::optional<Ending> ends(const DescentWorkspace&, const State&, const Proposal&) { return std::nullopt; }
};

// Where steps creep, the Hessian itself, from differences of exact gradients, is worth its price. No step is taken, and
// no iteration counted.
struct HessianPhase {
  static constexpr PhaseName name = PhaseName::hessian;
  static constexpr PhaseName followers[] = {PhaseName::radius};
  static Proposal propose(DescentWorkspace& work, const State& state);
  static Verdict judge(DescentWorkspace& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(DescentWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                    const Verdict& verdict);
  static std::optional<Ending> ends(const DescentWorkspace&, const State&, const Proposal&) { return std::nullopt; }
};

// Before a descent ends where the rows promise more than they give: along what they hardly see, their second
// derivatives show the way.
struct LastHessianPhase : HessianPhase {
  static constexpr PhaseName name = PhaseName::last_hessian;
  static void learn(DescentWorkspace& work, State& state, const Proposal& proposal, const Trial& trial,
                    const Verdict& verdict);
};

}  // namespace salvo::solve
