#include "fit/initial_guesses.hpp"

#include "fit/evaluate.hpp"

namespace salvo::fit {
namespace {

bool has_unguessed(const model::Problem& problem) {
  for (const model::Experiment& experiment : problem.experiments)
    for (const model::Initial& initial : experiment.initial)
      if (const auto* its = std::get_if<model::Estimated>(&initial); its != nullptr && !its->guess) return true;
  return false;
}

}  // namespace

void guess_initial_values(model::Problem& problem) {
  if (!has_unguessed(problem)) return;
  const EvaluateResult start = evaluate(problem, {.simulations = false});
  for (model::Experiment& experiment : problem.experiments)
    for (std::size_t i = 0; i < experiment.initial.size(); ++i) {
      auto* its = std::get_if<model::Estimated>(&experiment.initial[i]);
      if (its == nullptr || its->guess) continue;
      for (const auto& value : start.parameters)
        if (value.id == problem.states[i].id || value.id == experiment.id + ":" + problem.states[i].id)
          its->guess = value.value;
    }
}

}  // namespace salvo::fit
