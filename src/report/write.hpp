#pragma once

#include <string>

#include "model/problem.hpp"
#include "report/run_record.hpp"
#include "results/fit_result.hpp"

namespace salvo::report {

// fit.json, estimates.tsv, trajectories.csv, residuals.csv, start.svg, solution.svg, pictures.json, summary.txt,
// report.html and, of several starts, starts.csv in `folder`, which is made if it does not exist: all at once
// (report/folder_update.hpp).
void write_fit(const model::Problem& problem, const FitResult& result, const std::string& folder,
               const RunRecord& run = {});

}  // namespace salvo::report
