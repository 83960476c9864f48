#pragma once

#include <optional>
#include <vector>

#include "solve/elimination/elimination.hpp"
#include "solve/elimination/gap_multipliers.hpp"
#include "solve/method/nodes_memory.hpp"
#include "solve/method/phase.hpp"
#include "solve/step/frozen_steps.hpp"

namespace salvo::solve {

// The Gauss-Newton step of a linearisation.
struct LinearStep {
  std::vector<double> sizes{};  // of the unknowns
  Elimination::Step step{};
  GapMultipliers multipliers{};  // at its end
  double multiplier = 0;         // the largest of them
  double length = 0;             // scaled
};

// What a run on nodes computes from its state and keeps from pass to pass.
class Nodes : public Given {
  NodesMemories own_{};  // where none are lent
  NodesMemories::Loan memory_;

 public:
  // `at_start`: the linearisation of the start by the request of the run, if there is one already.
  Nodes(const Given& given, nlp::Blocks at_start);

  // --- what the loop asks of every method
  nlp::Evaluation restore(const State& state);
  Trial evaluate(const State& state, const Proposal& proposal);
  Verdict differentiate(const State& state, Trial& trial, Verdict verdict);
  void keep_derivatives();
  bool is_spent() const;
  std::string_view label(PhaseName phase, const State& state) const;
  void describe_end(const Ending& ending, SolveResult& result);
  void begin(State& state);

  // --- what its phases share
  const GaussNewtonRules& rules() const { return options.rules.gauss_newton; }
  const LinearStep& linear_step(const State& state);
  const LinearStep& last_step() const { return linear_; }  // before the point that was reached
  // How much lower the objective lies after a step, as the linearised rows say.
  double in_sight(const State& state);
  double last_promise() const { return *in_sight_; }
  bool is_joined() const { return blocks.infeasibility() <= options.rules.gaps.comparable; }
  bool is_last(const State& state);
  // Whether the full step is the last one, because it is short or because what it leaves will be.
  bool leaves_nothing(const State& state);
  bool derivatives_serve(double length) const;
  // Whether frozen-Jacobian steps may finish the run.
  bool can_freeze(const State& state);
  void take_frozen_step(const State& state, const nlp::Point& q, Trial& trial);

  nlp::Blocks& blocks;        // with derivatives, where the state says
  nlp::Blocks& trial_blocks;  // at the end of the step that is tried
  Elimination& elimination;
  std::vector<double> correction{};   // that is left there, by the same matrices
  std::vector<double> next_step{};    // the frozen one that follows the one that is tried, ...
  GapMultipliers next_multipliers{};  // ... and the multipliers there

 private:
  bool has_many_columns() const;

  nlp::Blocks at_start_;  // once it is taken in, memory
  bool knows_start_ = false;
  bool is_factorised_ = false;
  LinearStep linear_{};
  std::optional<double> in_sight_{};
  RecursionRoom recursion_{};
  std::optional<FrozenSteps> frozen_{};
  nlp::Evaluation last_{};  // evaluation that was made
};

// The end of what comes after the search: everything is evaluated precisely from here on.
void end_search(const Nodes& work, State& state);

// What full steps of joined trajectories promise is noted, and how often that was next to nothing.
void note_promise(const Nodes& work, State& state);
// Joined trajectories from which next to nothing could be gained, for many iterations: they wander on flat ground.
bool is_flat_and_idle(Nodes& work, const State& state);

// The objective falls, along trajectories that are joined and stay so.
bool falls_joined(const Nodes& work);

// After a step that stands: its length, and what constraints and torn ends it leaves to count.
void count_step(Nodes& work, const Proposal& proposal, State& state);
// Whether the point that was reached is an end.
std::optional<Ending> end_at_nodes(const Nodes& work, const State& state, const Proposal& proposal);

}  // namespace salvo::solve
