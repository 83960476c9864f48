#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "solve/method/phase.hpp"
#include "solve/quadratic/scalar_subproblem.hpp"

namespace salvo::solve {

// The step of the quadratic subproblem, and what follows from it.
struct SubproblemStep {
  nlp::Point point{};  // where it begins
  Eigen::VectorXd g{};
  std::vector<SquaredGap> constraints{};
  ScalarStep step{};
  // Multipliers of h_j itself; they grow like 1/|G_j|, for none exists at the solution. Penalties follow them, up at
  // once and down by halves ([Powell78]).
  std::vector<std::vector<double>> multipliers{}, penalties{};
  double largest_multiplier = 0;
};

// What a run on squared gaps computes from its state and keeps from pass to pass.
class ScalarWorkspace : public Given {
 public:
  ScalarWorkspace(const Given& given, double objective_scale) : Given(given), scale_(objective_scale) {}

  // --- what the loop asks of every method
  nlp::Evaluation restore(const State& state);
  Trial evaluate(const State& state, const Proposal& proposal);
  Verdict differentiate(const State& state, Trial& trial, Verdict verdict);
  void keep_derivatives();
  bool is_spent() const { return context.is_spent(); }
  std::string_view label(PhaseName, const State&) const { return "scalar"; }
  void describe_end(const Ending& ending, SolveResult& result);
  void begin(State& state);

  // --- what its phase asks for
  const SubproblemStep& subproblem_step(const State& state);
  // f + sum nu_j h_j, at the point and at the end of the step that is tried.
  double merit() const;
  double merit_of_trial() const;
  double penalised_gaps() const;
  // Where even short steps bring nothing: good enough if the trajectories are joined.
  Ending end_of_road(const State& state) const;
  // BFGS on the gradient of the Lagrange function, both at the new multipliers, along a step to the point that was
  // reached.
  void update_curvature(State& state);
  void forget_subproblem() { subproblem_.reset(); }

 private:
  nlp::Evaluation differentiate_at(const nlp::Point& q, const nlp::Request& request, nlp::Gradients& out) const;
  Eigen::VectorXd gradient(const nlp::Gradients& at) const;
  Eigen::VectorXd lagrange_gradient(const nlp::Gradients& at, const Eigen::VectorXd& g,
                                    const std::vector<SquaredGap>& constraints) const;

  double scale_;  // of the objective
  nlp::Gradients here_{}, there_{};
  nlp::Blocks trial_blocks_{};
  std::optional<SubproblemStep> subproblem_{};
  nlp::Evaluation last_{};
};

}  // namespace salvo::solve
