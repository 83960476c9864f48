#pragma once

#include "fit/result.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

// Fills in what can be said of a point that a solver reached: likelihood, predictions, estimates and their errors.
void summarize(const Setup& setup, const nlp::Point& q, FitResult& result);

}  // namespace salvo::fit
