#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/issue.hpp"
#include "fit/check.hpp"
#include "fit/evaluate.hpp"
#include "fit/simulate.hpp"
#include "fit/study.hpp"
#include "model/problem.hpp"
#include "report/text_sink.hpp"
#include "results/fit_result.hpp"

// Results as JSON text, one object each. Numbers read back as the same doubles; those that are not finite are the
// strings "inf", "-inf" and "nan"; what does not exist is null.
namespace salvo::report {

std::string fit_json(const model::Problem& problem, const FitResult& result);

std::string evaluate_json(const model::Problem& problem, const fit::EvaluateResult& result);
void evaluate_json(const model::Problem& problem, const fit::EvaluateResult& result, const TextSink& write);

// Of fields values by time and place: at `places`, or at the centres of cells.
std::string simulate_json(const model::Problem& problem, const fit::SimulateResult& result,
                          const std::vector<std::array<double, 2>>& places = {});

std::string check_json(const model::Problem& problem, const std::vector<fit::Finding>& findings);

std::string study_json(const fit::StudyResult& result);

// Why nothing was computed; `status` is "usage", "invalid" or "unsupported".
std::string issues_json(std::string_view status, const Issues& issues);

}  // namespace salvo::report
