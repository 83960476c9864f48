#pragma once

#include "base/tasks/header.hpp"
#include "runs/prepared_run.hpp"

namespace salvo::runs {

// All that the tasks of a run depend on: the files, the options that change a result, this program and this machine.
// How many tasks there are, how many threads work on them and for how long is not among it. `changes` tells what was
// done to the problem after it was read, where that stands in no file.
journal::RunHeader header_of(const PreparedRun& run, const std::string& changes = {});

// How many starts or replicates a run began with; more may have been added since, which go on with the arithmetic that
// was chosen for these.
inline constexpr const char* planned_for = "planned for";
void plan_as(const journal::RunHeader& header, PreparedRun& run);

}  // namespace salvo::runs
