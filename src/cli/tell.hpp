#pragma once

#include "base/run_context.hpp"
#include "cli/arguments.hpp"
#include "cli/progress.hpp"
#include "cli/run_folder.hpp"
#include "model/problem.hpp"

namespace salvo::cli {

Progress::Volume volume_of(const FitArguments& arguments);

// What was assumed or looks odd, on standard error. Warnings are shown always, remarks unless it is quiet.
void tell_warnings(const Issues& warnings);
void tell_remarks(const model::Problem& problem, Progress::Volume volume);

// A context that shows progress and listens to SIGINT and SIGTERM; `progress` must outlive it, and so must the board,
// if there is one.
RunContext watched_by(Progress& progress);
RunContext watched_by(Progress& progress, const Board& board);

}  // namespace salvo::cli
