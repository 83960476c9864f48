#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/fit_result.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::uncertainty {

// A derived quantity at a point, in the order of derived_quantities.
struct DerivedValue {
  std::string id{};
  std::optional<double> value{};  // missing where it has none that is finite
  std::vector<double> slopes{};   // by every quantity on its scale; empty where there are no errors
};
std::vector<DerivedValue> derived_values(const shooting::ShootingProblem& shooting, const nlp::Point& q,
                                         const Errors& errors);

// Fills in what the problem derives from the estimates: values, errors to first order, and intervals, of the likelihood
// where `intervals` has them (docs/mathematics.md, section 9). A sentence for each that has no value.
std::string add_derived(const shooting::ShootingProblem& shooting, const nlp::Point& q, const Errors& errors,
                        const IntervalsOutcome& intervals, FitResult& result);

// The 95 % interval by the standard error; of what cannot be negative, formed for its logarithm.
std::pair<double, double> wald_of_derived(bool is_positive, double value, const statistics::Spread& spread);

}  // namespace salvo::uncertainty
