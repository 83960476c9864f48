#pragma once

#include <cmath>
#include <optional>

#include "solve/method/phase.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "solve/quadratic/trust_region.hpp"

namespace salvo::solve {

// What a descent computes from its state and keeps from pass to pass.
class DescentWorkspace : public Given {
 public:
  explicit DescentWorkspace(const Given& given) : Given(given) {}

  // --- what the loop asks of every method
  nlp::Evaluation restore(const State& state);
  Trial evaluate(const State& state, const Proposal& proposal);
  Verdict differentiate(const State& state, Trial& trial, Verdict verdict);
  void keep_derivatives();
  bool is_spent() const { return context.is_spent(); }
  std::string_view label(PhaseName, const State&) const { return options.phase; }
  void describe_end(const Ending& ending, SolveResult& result);
  void begin(State& state);

  // --- what its phases share
  const DescentRules& rules() const { return options.rules.descent; }
  // The step within a radius: by the information and what is known of the rest of the Hessian, or by the information
  // alone.
  TrustRegionStep step_within(double radius, const State& state);
  TrustRegionStep step_by_information(double radius, const State& state);
  // Changes of the objective below this are not told from errors of the integration and of rounding.
  double noise(const State& state) const { return rules().noise * (1 + std::abs(state.objective)); }
  // Takes the model over to the point that was reached, and teaches the secant term what the step has shown.
  void renew_model(const std::vector<double>& step, State& state);
  void forget_spectra() { spectra_ = {}; }

  JoinedProblem model{};
  std::vector<double> units{};
  std::optional<Matrix> hessian{};  // beyond the information, where it was asked for

 private:
  TrustRegionStep solve(double radius, const Matrix& S, const std::vector<double>& g, const State& state);
  Trial evaluate_at(const State& state, const std::vector<double>& d, bool with_derivatives);
  // In a bent valley the residuals at the end of a straight step tell how it bends: the step that their second
  // difference asks for as well follows it ([TranstrumSethna12]). False if that did not help.
  bool bend(const State& state, Trial& trial);
  void change_units_of_model(const std::vector<double>& from);

  nlp::Blocks here_{}, there_{}, elsewhere_{};
  FreeSpectra spectra_{};  // of the model
  nlp::Evaluation last_{};
};

}  // namespace salvo::solve
