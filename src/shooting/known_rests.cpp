#include "shooting/known_rests.hpp"

#include <utility>

#include "compile/accelerate.hpp"
#include "shooting/cost.hpp"

namespace salvo::shooting {
namespace {

std::string bits_of(const compile::CompiledModel* model, const std::vector<double>& x0, const std::vector<double>& p) {
  std::string out(reinterpret_cast<const char*>(&model), sizeof(model));
  for (const std::vector<double>* numbers : {&x0, &p})
    out.append(reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(double));
  return out;
}

// With one lane machine code gives the bits of the tape: when it takes over, and on which thread, changes nothing.
std::shared_ptr<const compile::CompiledModel> fastest(const compile::RestingModel& resting,
                                                      const KnownRests::Wish& wish) {
  const compile::Wanted wanted{.lanes = 1, .tangents = false, .jacobian = true, .vjp = false, .stiff = true};
  const compile::CompiledModel& model = *resting.model;
  if (!model.accelerator ||
      !is_machine_code_worthwhile(model, wanted, static_cast<double>(resting.evaluations) + wish.expected_evaluations))
    return resting.model;
  const compile::Accelerated made = model.accelerator->accelerated(model, wanted);
  return made.model ? made.model : resting.model;
}

}  // namespace

const integrate::SteadyState& KnownRests::of(const compile::RestingModel& resting, const std::vector<double>& x0,
                                             const std::vector<double>& p, const Wish& wish) {
  std::string key = bits_of(resting.model.get(), x0, p);
  const auto found = known_.find(key);
  if (found != known_.end() && (found->second.with_derivatives || !wish.with_derivatives)) return found->second.rest;
  integrate::SteadyState rest = integrate::steady_state(*fastest(resting, wish), x0, p, wish.with_derivatives);
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
