#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "solve/method/phase.hpp"
#include "solve/step/krylov_step.hpp"

namespace salvo::solve {

// What a run on the augmented Lagrange function computes from its state and keeps from pass to pass.
class LagrangianWorkspace : public Given {
 public:
  explicit LagrangianWorkspace(const Given& given) : Given(given) {}

  // --- what the loop asks of every method
  nlp::Evaluation restore(const State& state);
  Trial evaluate(const State& state, const Proposal& proposal);
  Verdict differentiate(const State& state, Trial& trial, Verdict verdict);
  void keep_derivatives();
  bool is_spent() const { return context.is_spent(); }
  std::string_view label(PhaseName, const State&) const { return "lagrangian"; }
  void describe_end(const Ending& ending, SolveResult& result);
  void begin(State& state);

  // --- what its phase asks for
  bool is_joined() const { return blocks.gap <= options.rules.gaps.comparable; }
  // L + y'G + rho/2 |D^-1 G|^2
  double lagrange_function(const nlp::Blocks& at, const State& state) const;
  // The linearised problem, with the gaps shifted by their multipliers.
  PenalisedGaps penalised(const State& state);
  // What residuals and shifted gaps add up to before the step.
  double half_squares_before(const State& state);
  // y += rho D^-2 G, with the gaps of the point that was reached.
  void update_multipliers(State& state) const;

  nlp::Blocks blocks{};
  std::vector<double> sizes{};  // at the point, and after a step that stands still those of its beginning

 private:
  // Takes the correction of the nodes too, where it helps.
  void correct_nodes(const State& state, double before, Trial& trial);
  // G + D^2 y / rho: with these gaps in place of G, rho/2 |D^-1 G|^2 holds y'G as well.
  void shift(nlp::Blocks& at, const State& state) const;

  nlp::Blocks trial_blocks_{};
  std::unique_ptr<nlp::Products> by_theta_{}, trial_by_theta_{};
  std::optional<nlp::Blocks> shifted_{};
  nlp::Evaluation last_{};
};

}  // namespace salvo::solve
