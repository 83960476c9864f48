#include "fit/sensitivities.hpp"

#include "estimate/quantities.hpp"
#include "fit/prediction_jacobian.hpp"
#include "model/algebraic.hpp"

namespace salvo::fit {
namespace {

// The problem whose measurements are all that the arcs show: every state and observable at every time.
model::Problem measured_along(const model::Problem& given, const std::vector<Arc>& arcs) {
  model::Problem problem = given;
  problem.constraints.clear();
  problem.validation.clear();
  problem.measurements.clear();
  for (model::Experiment& experiment : problem.experiments)
    for (model::Initial& initial : experiment.initial)
      if (auto* its = std::get_if<model::Estimated>(&initial); its != nullptr && !its->guess)
        its->guess = 1;  // as a simulation has it; there are no data that could tell
  std::vector<model::Observable> seen;
  for (const model::State& state : problem.states) seen.push_back({.id = state.id, .formula = state.symbol});
  seen.insert(seen.end(), problem.observables.begin(), problem.observables.end());
  const expression::NodeId one = problem.graph.constant(1);
  for (model::Observable& observable : seen) {  // whatever the law, the derivatives are those of the formula
    observable.distribution = model::Distribution::normal;
    observable.noise = one;
  }
  problem.observables = std::move(seen);
  problem.cells.readings.clear();  // they are of observables as they were counted before
  for (const Arc& arc : arcs)
    for (const double time : arc.time)
      for (int i = 0; i < static_cast<int>(problem.observables.size()); ++i)
        problem.measurements.push_back({.experiment = arc.experiment, .observable = i, .time = time});
  return problem;
}

}  // namespace

Sensitivities sensitivities(const model::Problem& given, const SimulateOptions& options, const std::vector<Arc>& arcs,
                            const RunContext& context) {
  Sensitivities result;
  model::Problem problem = measured_along(given, arcs);
  estimate::set_guesses(problem, options.values);
  if (problem.measurements.empty()) return result;
  const Unbroken unbroken(
      problem, compile::compile(problem),
      {.integrator = model::integrator_for(problem, options.integrator), .engine = {.stop = context.stop}});
  for (const estimate::Quantity& quantity : unbroken.quantities()) result.ids.push_back(quantity.id);
  Matrix all;
  if (const nlp::Evaluation done = prediction_jacobian(unbroken, unbroken.guess(), all); !done.ok) {
    result.ok = false;
    result.message = done.trouble;
    return result;
  }
  int row = 0;
  for (const Arc& arc : arcs) {
    Matrix part(static_cast<int>(arc.time.size() * problem.observables.size()), all.cols);
    for (int n = 0; n < part.rows; ++n, ++row)
      for (int k = 0; k < all.cols; ++k) part(n, k) = all(row, k);
    result.by_experiment.push_back(std::move(part));
  }
  return result;
}

}  // namespace salvo::fit
