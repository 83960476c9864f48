#pragma once

#include <string>
#include <utility>

#include "results/fit_result.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/profiles/profiles.hpp"

namespace salvo::uncertainty {

// Fills in what the problem derives from the estimates: values, errors to first order, and intervals, of the likelihood
// where `intervals` has them (docs/mathematics.md, section 9). A sentence for each that has no value.
std::string add_derived(const shooting::ShootingProblem& shooting, const nlp::Point& q, const Errors& errors,
                        const IntervalsOutcome& intervals, FitResult& result);

// The 95 % interval by the standard error; of what cannot be negative, formed for its logarithm.
std::pair<double, double> wald_of_derived(bool is_positive, double value, const statistics::Spread& spread);

}  // namespace salvo::uncertainty
