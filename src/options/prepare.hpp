#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "fit/fit.hpp"
#include "fit/profile.hpp"
#include "fit/simulate.hpp"
#include "model/problem.hpp"
#include "options/arguments.hpp"
#include "options/option_reader.hpp"

namespace salvo::options {

// A problem with all that a user said about fitting it.
struct PreparedFit {
  model::Problem problem{};
  fit::Options options{};
  Issues warnings{};  // about what he said
};
Result<PreparedFit> prepare_fit(const FitWords& words, model::Problem problem, Door door = Door::command_line);

// What is wrong with his words, as far as that can be seen without a problem.
Issues check_words(const FitWords& words);

// Values from --parameters (a table, or p1=0.5,x1=0.4) or --from DIR; empty if neither is given.
Result<std::map<std::string, double>> read_values(const ValueArguments& arguments, const model::Problem& problem,
                                                  Door door = Door::command_line);

// --cells: the same fields on so many cells.
Issues set_cells(const Word& cells, model::Problem& problem, Door door = Door::command_line);

// What is said about profiles, checked against the problem.
Result<fit::ProfileOptions> prepare_profiles(const ProfileWords& words, const model::Problem& problem,
                                             Door door = Door::command_line);

Result<fit::SimulateOptions> prepare_simulation(const SimulateWords& words, const model::Problem& problem,
                                                Door door = Door::command_line);

// Issues for names that the problem does not have, as wrong usage of the option.
Issues check_option_names(const model::Problem& problem, const std::map<std::string, double>& values,
                          std::string_view option, Door door = Door::command_line);

// Whether results can be put into the folder of --out: before hours of work rather than after them. One that does not
// exist is made when there is something to put into it.
Issues check_folder(const std::string& folder, Door door = Door::command_line);

}  // namespace salvo::options
