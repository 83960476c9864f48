#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "cli/arguments.hpp"
#include "cli/option_reader.hpp"
#include "fit/fit.hpp"
#include "model/problem.hpp"

namespace salvo::cli {

// A problem with all that the command line said about fitting it.
struct PreparedFit {
  model::Problem problem{};
  fit::Options options{};
  Issues warnings{};  // about the command line
};
Result<PreparedFit> prepare_fit(const FitArguments& arguments);

// Values from --parameters (a table, or p1=0.5,x1=0.4) or --from DIR; empty if neither is given.
Result<std::map<std::string, double>> read_values(const ValueArguments& arguments, const model::Problem& problem);

// Issues for names that the problem does not have, as wrong usage of the option.
Issues check_option_names(const model::Problem& problem, const std::map<std::string, double>& values,
                          std::string_view option);

// ./STEM.fit
std::string default_folder(const std::string& problem_file);

// What messages ask to change, as this program spells it.
Spelling as_options();

}  // namespace salvo::cli
