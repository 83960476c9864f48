#pragma once

#include <string>

#include "base/issue.hpp"
#include "cli/arguments.hpp"
#include "fit/profile.hpp"
#include "options/prepare.hpp"
#include "report/run_record.hpp"

// What `fit`, `profile` and `study` do alike.
namespace salvo::cli {

using options::check_folder;
using options::PreparedFit;

// The problem that the command names, with all that it says about fitting it.
Result<PreparedFit> prepare_fit(const FitArguments& arguments);

// ./STEM.fit
std::string default_folder(const std::string& problem_file);

report::RunRecord record_of(const FitArguments& arguments, const PreparedFit& prepared);

// Why the folder could not be written, if it could not. What was found is then still told.
std::string write_results(const model::Problem& problem, const FitResult& result, const std::string& folder,
                          const report::RunRecord& record);

}  // namespace salvo::cli
