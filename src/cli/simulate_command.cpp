#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "fit/simulate.hpp"
#include "formats/problem/read.hpp"
#include "options/prepare.hpp"
#include "report/json.hpp"
#include "report/tables.hpp"

namespace salvo::cli {
int simulate_command(const SimulateArguments& arguments) {
  auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues(), arguments.json);
  if (const Issues issues = options::set_cells(arguments.cells, *problem); !issues.empty())
    return refuse(issues, arguments.json);
  const auto options = options::prepare_simulation(arguments, *problem);
  if (!options) return refuse(options.issues(), arguments.json);

  tell_remarks(*problem, Progress::Volume::normal);
  const fit::SimulateResult result = fit::simulate(*problem, *options);
  print(arguments.json ? report::simulate_json(*problem, result, options->places)
                       : report::simulation_csv(*problem, result.experiments, options->places));
  if (result.ok) return exit_code::done;
  print_error(fmt::format("salvo: {}\n", result.message));
  return exit_code::no_answer;
}

}  // namespace salvo::cli
