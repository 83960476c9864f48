#pragma once

#include <string>

#include "base/issue.hpp"
#include "cli/prepare.hpp"
#include "fit/profile.hpp"
#include "report/run_record.hpp"

// What `fit` and `profile` do alike.
namespace salvo::cli {

// Before hours of work rather than after them. A folder that does not exist is made when there is something to put into
// it.
Issues check_folder(const std::string& folder);

report::RunRecord record_of(const FitArguments& arguments, const PreparedFit& prepared);

// Why the folder could not be written, if it could not. What was found is then still told.
std::string write_results(const model::Problem& problem, const FitResult& result, const std::string& folder,
                          const report::RunRecord& record);

// What the command line says about profiles, checked against the problem.
Result<fit::ProfileOptions> read_profiles(const ProfileArguments& arguments, const model::Problem& problem);

}  // namespace salvo::cli
