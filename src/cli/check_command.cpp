#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/tell.hpp"
#include "fit/check.hpp"
#include "formats/problem/read.hpp"
#include "options/prepare.hpp"
#include "report/json.hpp"
#include "report/lines.hpp"

namespace salvo::cli {
namespace {

void show(const std::vector<fit::Finding>& findings) {
  for (const fit::Finding& finding : findings) {
    constexpr std::size_t indent = 9;
    const std::string lines = report::wrapped(finding.text, indent, sentence_width_out());
    print(fmt::format("{:<9}{}", fit::to_string(finding.level), lines.substr(std::min(indent, lines.size()))));
  }
  const auto troubles = std::count_if(findings.begin(), findings.end(), [](const fit::Finding& finding) {
    return finding.level == fit::Finding::Level::trouble;
  });
  if (troubles == 0) print("The problem is sound.\n");
  if (troubles == 1) print("The problem can be run, but one thing will give trouble.\n");
  if (troubles > 1) print(fmt::format("The problem can be run, but {} things will give trouble.\n", troubles));
}

}  // namespace

int check_command(const CheckArguments& arguments) {
  const auto problem = formats::read_problem(arguments.problem);
  if (!problem) return refuse(problem.issues(), arguments.json);
  options::OptionReader reader;
  fit::Options options{.spelling = options::as_options()};
  options.max_seconds = reader.positive("--max-time", arguments.max_time);
  if (!reader.is_content()) return refuse(reader.issues(), arguments.json);
  tell_remarks(*problem, Progress::Volume::normal);

  const auto findings = fit::check(*problem, options);
  if (arguments.json)
    print(report::check_json(*problem, findings));
  else
    show(findings);
  return exit_code::done;
}

}  // namespace salvo::cli
