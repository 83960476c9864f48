#pragma once

#include "fit/names.hpp"
#include "fit/predict.hpp"
#include "fit/result.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

// Fills in what can be said of a point that a solver reached: likelihood, predictions, estimates and their errors.
void summarize(const Setup& setup, const solve::SolveResult& solved, Predictions predictions, FitResult& result);
// The same of a point that no solver was asked for.
void summarize(const Setup& setup, const nlp::Point& q, FitResult& result);

// Why errors are not computed; empty if they are.
std::string why_no_errors(const shooting::ShootingProblem& shooting, model::Method method);

// A direction among the estimated quantities: coefficients in relative terms (per cent of each), the largest one 1.
NullDirection in_words(const std::vector<Quantity>& quantities, const std::vector<double>& direction,
                       const nlp::Point& q);

}  // namespace salvo::fit
