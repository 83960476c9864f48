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

// --places: where fields are told.
void read_places(OptionReader& reader, const std::string& word, const model::Problem& problem, Door door,
                 std::vector<double>& places, Issues& issues) {
  if (problem.fields.empty()) {
    issues.push_back(
        usage_issue(fmt::format("{}: the problem has no fields", spelled(door, "--places")), "leave it out"));
    return;
  }
  for (const std::string& text : OptionReader::list({&word, 1}))
    if (const auto place = reader.number("--places", text)) places.push_back(*place);
  const model::Space& space = problem.space[0];
  for (const double place : places)
    if (place < space.from || place > space.to)
      issues.push_back(usage_issue(fmt::format("{}: {} = {} is outside the space of the problem, from {} to {}",
                                               spelled(door, "--places"), space.id, number_text(place),
                                               number_text(space.from), number_text(space.to))));
}

}  // namespace

Result<fit::SimulateOptions> prepare_simulation(const SimulateWords& words, const model::Problem& problem, Door door) {
  OptionReader reader(problem, door);
  fit::SimulateOptions options;
  Issues places;
  options.at = reader.times("--at", words.at).value_or(std::vector<double>{});
  options.until = reader.time("--until", words.until);
  if (words.places) read_places(reader, *words.places, problem, door, options.places, places);
  options.integrator = reader.integrator(words.integrator, problem);
  Issues issues = reader.issues();
  issues.insert(issues.end(), places.begin(), places.end());
  refuse_early_times(problem, options, door, issues);
  if (!issues.empty()) return issues;
  const auto values = read_values(words.values, problem, door);
  if (!values) return values.issues();
  options.values = *values;
  return options;
}

}  // namespace salvo::options
