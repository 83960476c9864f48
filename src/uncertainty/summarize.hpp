#pragma once

#include "estimate/quantities.hpp"
#include "estimate/answer/predictions.hpp"
#include "results/fit_result.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::uncertainty {

// Fills in what can be said of a point that a solver reached: likelihood, predictions, estimates and their errors.
void summarize(const estimate::Setup& setup, const solve::SolveResult& solved, estimate::Predictions predictions, FitResult& result);
// The same of a point that no solver was asked for.
void summarize(const estimate::Setup& setup, const nlp::Point& q, FitResult& result);

// Why errors are not computed; empty if they are.
std::string why_no_errors(const shooting::ShootingProblem& shooting, model::Method method);

}  // namespace salvo::uncertainty
