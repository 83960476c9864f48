#pragma once

#include "fit/result.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

// Fills in what can be said of a point that a solver reached: likelihood, predictions, estimates and their errors.
// `multipliers` are those of the constraints; none if no solver was asked.
void summarize(const Setup& setup, const nlp::Point& q, const std::vector<double>& multipliers, FitResult& result);

}  // namespace salvo::fit
