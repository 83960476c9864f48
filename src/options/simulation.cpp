#include <fmt/format.h>

#include <algorithm>

#include "options/prepare.hpp"

namespace salvo::options {
namespace {

// A table would lack such a time without a word.
void refuse_early_times(const model::Problem& problem, const fit::SimulateOptions& options, Door door, Issues& issues) {
  double start = problem.experiments.front().start;
  for (const model::Experiment& experiment : problem.experiments) start = std::min(start, experiment.start);
  const auto refuse_early = [&](std::string_view option, double time) {
    if (time < start)
      issues.push_back(usage_issue(fmt::format("{}: the time {} is before the start of the integration, {}",
                                               spelled(door, option), number_text(time), number_text(start))));
  };
  for (const double time : options.at) refuse_early("--at", time);
  if (options.until) refuse_early("--until", *options.until);
}

}  // namespace

Result<fit::SimulateOptions> prepare_simulation(const SimulateWords& words, const model::Problem& problem, Door door) {
  OptionReader reader(problem, door);
  fit::SimulateOptions options;
  options.at = reader.times("--at", words.at).value_or(std::vector<double>{});
  options.until = reader.time("--until", words.until);
  options.integrator = reader.integrator(words.integrator, problem);
  Issues issues = reader.issues();
  refuse_early_times(problem, options, door, issues);
  if (!issues.empty()) return issues;
  const auto values = read_values(words.values, problem, door);
  if (!values) return values.issues();
  options.values = *values;
  return options;
}

}  // namespace salvo::options
