#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/prepare.hpp"
#include "cli/tell.hpp"
#include "fit/fit.hpp"
#include "formats/problem/read.hpp"
#include "report/tables.hpp"

namespace salvo::cli {
namespace {}  // namespace

int simulate_command(const SimulateArguments& arguments) {
  const auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues());
  OptionReader reader;
  fit::SimulateOptions options;
  options.at = reader.times("--at", arguments.at).value_or(std::vector<double>{});
  options.until = reader.number("--until", arguments.until);
  options.integrator = reader.integrator(arguments.integrator, problem->settings.integrator);
  if (!reader.is_content()) return refuse(reader.issues());
  const auto values = read_values(arguments.values, *problem);
  if (!values) return refuse(values.issues());
  options.values = *values;

  tell_remarks(*problem, Progress::Volume::normal);
  const fit::SimulateResult result = fit::simulate(*problem, options);
  print(report::trajectories_csv(*problem, result.experiments, report::IntervalColumn::hidden));
  if (result.ok) return exit_code::done;
  print_error(fmt::format("salvo: {}\n", result.message));
  return exit_code::no_answer;
}

}  // namespace salvo::cli
