#pragma once

#include <string>

#include "runs/prepared_run.hpp"

namespace salvo::cli {

struct Shown {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

// What a finished run tells, on standard output; empty: its results are in no folder.
void show(const runs::PreparedRun& run, const runs::RunResult& result, const Shown& how, const std::string& folder);
int exit_code_of(const runs::PreparedRun& run, const runs::RunResult& result);

}  // namespace salvo::cli
