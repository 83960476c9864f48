#include <fmt/format.h>

#include "base/watch.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "fit/evaluate.hpp"
#include "formats/problem/read.hpp"
#include "options/prepare.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"

namespace salvo::cli {

int evaluate_command(const EvaluateArguments& arguments) {
  auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues(), arguments.json);
  if (const Issues issues = options::set_cells(arguments.cells, *problem); !issues.empty())
    return refuse(issues, arguments.json);
  options::OptionReader reader;
  if (arguments.jacobian && !arguments.json)
    return refuse({usage_issue("--jacobian needs --json", "it is printed as part of the JSON object")});
  fit::EvaluateOptions options{
      .gradient = arguments.gradient, .prediction_jacobian = arguments.jacobian, .simulations = arguments.json};
  options.integrator = reader.integrator(arguments.integrator, *problem);
  options.memory = reader.megabytes("--memory", arguments.memory);
  options.repeat = reader.count("--repeat", arguments.repeat, 1).value_or(0);
  const std::optional<double> max_seconds = reader.positive("--max-time", arguments.max_time);
  if (!reader.is_content()) return refuse(reader.issues(), arguments.json);
  const auto values = options::read_values(arguments.values, *problem);
  if (!values) return refuse(values.issues(), arguments.json);
  options.values = *values;

  tell_remarks(*problem, Progress::Volume::normal);
  RunContext context;
  if (max_seconds) context.stop_after(*max_seconds);
  const Watch watch(context);
  fit::EvaluateResult result = fit::evaluate(*problem, options, context);
  if (!result.ok && context.is_past_deadline()) result.message = "the time ran out: allow more with --max-time";
  if (arguments.json)
    report::evaluate_json(*problem, result, print);
  else
    print(report::evaluate_summary(*problem, result));
  if (result.ok) return exit_code::done;
  if (arguments.json) print_error(fmt::format("salvo: {}\n", result.message));
  return exit_code::no_answer;
}

}  // namespace salvo::cli
