#pragma once

#include "base/run_context.hpp"
#include "cli/arguments.hpp"
#include "cli/progress.hpp"
#include "model/problem.hpp"

namespace salvo::cli {

Progress::Volume volume_of(const FitArguments& arguments);

// What was assumed or looks odd, on standard error. Warnings are shown always, remarks unless it is quiet.
void tell_warnings(const Issues& warnings);
void tell_remarks(const model::Problem& problem, Progress::Volume volume);

// A context that shows progress and listens to SIGINT, SIGTERM and their like; `progress` must outlive it.
RunContext watched_by(Progress& progress);

}  // namespace salvo::cli
