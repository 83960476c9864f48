#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "runs/team.hpp"

// One function per command: arguments in, exit code out.
namespace salvo::cli {

int fit_command(const FitArguments& arguments);
int evaluate_command(const EvaluateArguments& arguments);
int simulate_command(const SimulateArguments& arguments);
int simulate_sbml_command(const SimulateSbmlArguments& arguments);
int convert_command(const ConvertArguments& arguments);
int study_command(const StudyArguments& arguments);
int profile_command(const ProfileArguments& arguments);
int check_command(const CheckArguments& arguments);
int compare_command(const CompareArguments& arguments);
int work_command(const WorkArguments& arguments, runs::Team* team = nullptr);
int status_command(const StatusArguments& arguments);
int gather_command(const GatherArguments& arguments);
int new_command(const NewArguments& arguments);
int plot_command(const PlotArguments& arguments);
int report_command(const std::string& folder);
int eval_math_command(const std::string& formula);

}  // namespace salvo::cli
