#pragma once

#include <string>
#include <string_view>

#include "fit/result.hpp"
#include "model/problem.hpp"
#include "report/run_record.hpp"

namespace salvo::report {

// Puts the text into the file at once: under another name first, which then takes the place of the old file, so that
// an interruption leaves either the old or the new text. Throws std::runtime_error if the disk refuses.
void write_file(const std::string& path, std::string_view text);

// fit.json, estimates.tsv, trajectories.csv, residuals.csv, start.svg, solution.svg, pictures.json, report.html and, of
// several starts, starts.csv in `folder`, which is made if it does not exist.
void write_fit(const model::Problem& problem, const fit::FitResult& result, const std::string& folder,
               const RunRecord& run = {});

}  // namespace salvo::report
