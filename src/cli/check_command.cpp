#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "fit/check.hpp"
#include "formats/problem/read.hpp"
#include "options/prepare.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"

namespace salvo::cli {

int check_command(const CheckArguments& arguments) {
  auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues(), arguments.json);
  if (const Issues issues = options::set_cells(arguments.cells, *problem); !issues.empty())
    return refuse(issues, arguments.json);
  options::OptionReader reader;
  fit::Options options{.spelling = options::as_options()};
  options.max_seconds = reader.positive("--max-time", arguments.max_time);
  if (!reader.is_content()) return refuse(reader.issues(), arguments.json);
  tell_remarks(*problem, Progress::Volume::normal);

  const auto findings = fit::check(*problem, options);
  if (arguments.json)
    print(report::check_json(*problem, findings));
  else
    print(report::check_summary(findings, sentence_width_out()));
  return exit_code::done;
}

}  // namespace salvo::cli
