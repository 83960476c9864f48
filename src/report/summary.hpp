#pragma once

#include <string>

#include "fit/fit.hpp"
#include "fit/result.hpp"
#include "model/problem.hpp"

// Results for a person at a terminal, in lines of at most 80 columns.
namespace salvo::report {

// The estimates, how well they fit, what the data cannot tell, and how it ended.
std::string fit_summary(const model::Problem& problem, const fit::FitResult& result, bool colour);

std::string evaluate_summary(const model::Problem& problem, const fit::EvaluateResult& result);

std::string study_summary(const fit::StudyResult& result);

}  // namespace salvo::report
