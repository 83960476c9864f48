#pragma once

#include <optional>

#include "base/tasks/header.hpp"
#include "cli/arguments.hpp"
#include "cli/fit_run.hpp"
#include "fit/profile.hpp"
#include "fit/study.hpp"

// All that the tasks of a command depend on: the files, the options that change a result, this program and this
// machine. How many tasks there are, how many threads work on them and for how long is not among it.
namespace salvo::cli {

journal::RunHeader header_of_fit(const FitArguments& arguments, const PreparedFit& prepared);
journal::RunHeader header_of_study(const StudyArguments& arguments, const PreparedFit& prepared,
                                   const fit::StudyOptions& options);
journal::RunHeader header_of_profile(const ProfileArguments& arguments, const PreparedFit& prepared,
                                     const fit::ProfileOptions& options);

// How many starts or replicates a run began with; more may have been added since, which go on with the arithmetic that
// was chosen for these.
inline constexpr const char* planned_for = "planned for";
std::optional<int> planned_of(const journal::RunHeader& header);

}  // namespace salvo::cli
