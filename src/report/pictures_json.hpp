#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"
#include "report/field_map.hpp"
#include "report/run_record.hpp"
#include "results/fit_result.hpp"

namespace salvo::report {

// What report.html draws beyond fit.json: the data, the trajectories at the solution with their bands, those on the way
// there, bounds and guesses, and how to repeat the run. Long lists of numbers are in base 64 (base64.hpp): times as
// doubles, everything else as floats. What would make the page too large to open is drawn at fewer points.
std::string pictures_json(const model::Problem& problem, const FitResult& result, const RunRecord& run,
                          const std::vector<FieldMap>& maps = {});

}  // namespace salvo::report
