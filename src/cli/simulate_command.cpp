#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/prepare.hpp"
#include "cli/tell.hpp"
#include "fit/simulate.hpp"
#include "formats/problem/read.hpp"
#include "report/json.hpp"
#include "report/tables.hpp"

namespace salvo::cli {
namespace {

// A table would lack such a time without a word.
void refuse_early_times(const model::Problem& problem, const fit::SimulateOptions& options, Issues& issues) {
  double start = problem.experiments.front().start;
  for (const model::Experiment& experiment : problem.experiments) start = std::min(start, experiment.start);
  const auto refuse_early = [&](std::string_view option, double time) {
    if (time < start)
      issues.push_back(usage_issue(fmt::format("{}: the time {} is before the start of the integration, {}", option,
                                               number_text(time), number_text(start))));
  };
  for (const double time : options.at) refuse_early("--at", time);
  if (options.until) refuse_early("--until", *options.until);
}

}  // namespace

int simulate_command(const SimulateArguments& arguments) {
  const auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues(), arguments.json);
  OptionReader reader(*problem);
  fit::SimulateOptions options;
  options.at = reader.times("--at", arguments.at).value_or(std::vector<double>{});
  options.until = reader.time("--until", arguments.until);
  options.integrator = reader.integrator(arguments.integrator, problem->settings.integrator);
  Issues issues = reader.issues();
  refuse_early_times(*problem, options, issues);
  if (!issues.empty()) return refuse(issues, arguments.json);
  const auto values = read_values(arguments.values, *problem);
  if (!values) return refuse(values.issues(), arguments.json);
  options.values = *values;

  tell_remarks(*problem, Progress::Volume::normal);
  const fit::SimulateResult result = fit::simulate(*problem, options);
  print(arguments.json ? report::simulate_json(*problem, result)
                       : report::trajectories_csv(*problem, result.experiments, report::IntervalColumn::hidden));
  if (result.ok) return exit_code::done;
  print_error(fmt::format("salvo: {}\n", result.message));
  return exit_code::no_answer;
}

}  // namespace salvo::cli
