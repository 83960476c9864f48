#pragma once

#include <string>

#include "base/result.hpp"
#include "report/run_status.hpp"

namespace salvo::runs {

// How far the run in this folder has come. Nothing is computed, and nobody is disturbed.
Result<report::RunStatus> status(const std::string& folder);

}  // namespace salvo::runs
