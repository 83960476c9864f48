#pragma once

#include <string>
#include <vector>

#include "fit/check.hpp"
#include "fit/evaluate.hpp"
#include "fit/study.hpp"
#include "model/problem.hpp"
#include "results/fit_result.hpp"

// Results for a person at a terminal, in lines of at most 80 columns.
namespace salvo::report {

// What was proved of the answer, in a line.
std::string certificate_line(const FitResult& result);

// The estimates, how well they fit, what is not identifiable, and how it ended, in lines of at most `width` columns (of
// 50, if there are fewer): sentences are broken between words, tables between columns.
std::string fit_summary(const model::Problem& problem, const FitResult& result, bool colour, std::size_t width = 80);

std::string evaluate_summary(const model::Problem& problem, const fit::EvaluateResult& result);

// What a check found, one after the other, and what that means.
std::string check_summary(const std::vector<fit::Finding>& findings, std::size_t width = 80);

std::string study_summary(const fit::StudyResult& result);

}  // namespace salvo::report
