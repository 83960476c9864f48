#pragma once

#include "solve/method/nodes.hpp"

// The phases of Gauss-Newton on nodes, each in the file of its name.
namespace salvo::solve {

// What is known of the point is too rough, or the search has taken its iterations: it is linearised precisely. No step
// is taken, and no iteration counted.
struct RenewalPhase {
  static constexpr PhaseName name = PhaseName::renewal;
  static constexpr PhaseName followers[] = {PhaseName::full};
  static Proposal propose(Nodes& work, const State& state);
  static Verdict judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(Nodes& work, State& state, const Proposal& proposal, const Trial& trial, const Verdict& verdict);
  static std::optional<Ending> ends(const Nodes&, const State&, const Proposal&) { return std::nullopt; }
};

// The Gauss-Newton step stands where the linearisation holds along it: what it would still correct at its end is small
// (docs/mathematics.md, eq. 24). Once the trajectories are joined, it is also enough that the objective falls while
// they stay joined.
struct FullPhase {
  static constexpr PhaseName name = PhaseName::full;
  static constexpr PhaseName followers[] = {PhaseName::full,   PhaseName::renewal, PhaseName::part,
                                            PhaseName::damped, PhaseName::penalty, PhaseName::frozen};
  static Proposal propose(Nodes& work, const State& state);
  static Verdict judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(Nodes& work, State& state, const Proposal& proposal, const Trial& trial, const Verdict& verdict);
  static std::optional<Ending> ends(const Nodes& work, const State& state, const Proposal& proposal) {
    return end_at_nodes(work, state, proposal);
  }
};

// Halves, quarters and eighths of the Gauss-Newton step, along joined trajectories.
struct PartPhase {
  static constexpr PhaseName name = PhaseName::part;
  static constexpr PhaseName followers[] = {PhaseName::part, PhaseName::full, PhaseName::damped};
  static Proposal propose(Nodes& work, const State& state);
  static Verdict judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(Nodes& work, State& state, const Proposal& proposal, const Trial& trial, const Verdict& verdict);
  static std::optional<Ending> ends(const Nodes& work, const State& state, const Proposal& proposal) {
    return end_at_nodes(work, state, proposal);
  }
};

// Steps of trajectories that are joined and stay so, for where the Gauss-Newton step is too long to be trusted, as it
// is along directions that are hardly identifiable: Levenberg and Marquardt's, with so high a penalty that gaps do not
// open (docs/mathematics.md, eq. 25), judged by the objective alone.
struct DampedPhase {
  static constexpr PhaseName name = PhaseName::damped;
  static constexpr PhaseName followers[] = {PhaseName::damped, PhaseName::full, PhaseName::penalty};
  static Proposal propose(Nodes& work, const State& state);
  static Verdict judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(Nodes& work, State& state, const Proposal& proposal, const Trial& trial, const Verdict& verdict);
  static std::optional<Ending> ends(const Nodes& work, const State& state, const Proposal& proposal) {
    return end_at_nodes(work, state, proposal);
  }
};

// Steps that ask for small gaps only (step/penalty_step.hpp), with damping and penalty learnt on the way.
struct PenaltyPhase {
  static constexpr PhaseName name = PhaseName::penalty;
  static constexpr PhaseName followers[] = {PhaseName::penalty, PhaseName::full};
  static Proposal propose(Nodes& work, const State& state);
  static Verdict judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(Nodes& work, State& state, const Proposal& proposal, const Trial& trial, const Verdict& verdict);
  static std::optional<Ending> ends(const Nodes& work, const State& state, const Proposal& proposal) {
    return end_at_nodes(work, state, proposal);
  }
};

// The last steps of a run with many unknowns: those with a frozen Jacobian, while they contract.
struct FrozenPhase {
  static constexpr PhaseName name = PhaseName::frozen;
  static constexpr PhaseName followers[] = {PhaseName::frozen, PhaseName::full, PhaseName::renewal};
  static Proposal propose(Nodes& work, const State& state);
  static Verdict judge(Nodes& work, const State& state, const Proposal& proposal, const Trial& trial);
  static void learn(Nodes& work, State& state, const Proposal& proposal, const Trial& trial, const Verdict& verdict);
  static std::optional<Ending> ends(const Nodes&, const State&, const Proposal&) { return std::nullopt; }
};

}  // namespace salvo::solve
