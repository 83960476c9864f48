#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"
#include "report/folder_update.hpp"
#include "report/run_record.hpp"
#include "results/fit_result.hpp"

namespace salvo::report {

// A file whose text is made when it is asked for.
struct FileText {
  std::string name{};
  TextSource text{};
};

// What write_fit writes, for those who do not want it in a folder; problem, result and run must outlive it.
std::vector<FileText> fit_files(const model::Problem& problem, const FitResult& result, const RunRecord& run);

// fit.json, estimates.tsv, trajectories.csv, residuals.csv, start.svg, solution.svg, pictures.json, summary.txt,
// report.html and, of several starts, starts.csv in `folder`, which is made if it does not exist: all at once
// (report/folder_update.hpp).
void write_fit(const model::Problem& problem, const FitResult& result, const std::string& folder,
               const RunRecord& run = {});

}  // namespace salvo::report
