#pragma once

#include "estimate/answer/answer.hpp"
#include "estimate/quantities.hpp"
#include "results/fit_result.hpp"
#include "uncertainty/errors.hpp"

namespace salvo::uncertainty {

// Fills in what can be said of a point that a solver reached: likelihood, predictions, estimates and their errors.
// What the data say about it is returned: bands and further measurements rest on the same errors.
Errors summarize(const shooting::ShootingProblem& shooting, estimate::Answer& answer, FitResult& result);

// The 95 % interval of quantity i by its standard error, in user units, whatever its bounds are. Nothing where the data
// do not tell its order of magnitude.
std::optional<std::pair<double, double>> wald_interval(const model::Problem& problem,
                                                       const estimate::Quantity& quantity, int i, double scaled,
                                                       const Errors& errors);

// Why errors are not computed; empty if they are.
std::string why_no_errors(const shooting::ShootingProblem& shooting, model::Method method);

}  // namespace salvo::uncertainty
