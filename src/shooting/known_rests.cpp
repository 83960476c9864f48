#include "shooting/known_rests.hpp"

#include <utility>

#include "compile/accelerate.hpp"

namespace salvo::shooting {
namespace {

std::string bits_of(const compile::CompiledModel* model, const std::vector<double>& x0, const std::vector<double>& p) {
  std::string out(reinterpret_cast<const char*>(&model), sizeof(model));
  for (const std::vector<double>* numbers : {&x0, &p})
    out.append(reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(double));
  return out;
}

// With one lane machine code gives the bits of the tape: when it takes over, and on which thread, changes nothing.
std::shared_ptr<const compile::CompiledModel> fastest(const compile::RestingModel& resting, int expected_reuse) {
  constexpr double usual_evaluations = 100;  // of the equations, on the way to one steady state
  constexpr double usual_passes = 20;        // of a fit
  const compile::Wanted wanted{.lanes = 1, .tangents = false, .jacobian = true, .vjp = false, .stiff = true};
  const compile::CompiledModel& model = *resting.model;
  const double foreseen = expected_reuse > 1 ? expected_reuse * usual_passes * usual_evaluations : 0;
  const double interpreted = (static_cast<double>(resting.evaluations) + foreseen) * model.rhs.instruction_count();
  if (!model.accelerator || interpreted < compile::price_of_machine_code(model, wanted)) return resting.model;
  const compile::Accelerated made = model.accelerator->accelerated(model, wanted);
  return made.model ? made.model : resting.model;
}

}  // namespace

const integrate::SteadyState& KnownRests::of(const compile::RestingModel& resting, const std::vector<double>& x0,
                                             const std::vector<double>& p, const Wish& wish) {
  std::string key = bits_of(resting.model.get(), x0, p);
  const auto found = known_.find(key);
  if (found != known_.end() && (found->second.with_derivatives || !wish.with_derivatives)) return found->second.rest;
  integrate::SteadyState rest =
      integrate::steady_state(*fastest(resting, wish.expected_reuse), x0, p, wish.with_derivatives);
  resting.evaluations += rest.evaluations;
  if (found == known_.end()) {
    if (by_age_.size() > resting.problem.experiments.size()) {
      known_.erase(by_age_.front());
      by_age_.pop_front();
    }
    by_age_.push_back(key);
  }
  return known_.insert_or_assign(std::move(key), Known{resting.model, wish.with_derivatives, std::move(rest)})
      .first->second.rest;
}

}  // namespace salvo::shooting
