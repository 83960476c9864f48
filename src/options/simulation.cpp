#include <fmt/format.h>

#include <algorithm>
#include <array>

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

// --places: where fields are told; 3, or 3:2 on a rectangle.
void read_places(OptionReader& reader, const std::string& word, const model::Problem& problem, Door door,
                 std::vector<std::array<double, 2>>& places, Issues& issues) {
  if (problem.fields.empty()) {
    issues.push_back(
        usage_issue(fmt::format("{}: the problem has no fields", spelled(door, "--places")), "leave it out"));
    return;
  }
  for (const std::string& text : OptionReader::list({&word, 1})) {
    const std::size_t colon = text.find(':');
    if ((colon != std::string::npos) != (problem.space.size() > 1)) {
      issues.push_back(
          usage_issue(fmt::format("{}: '{}' names {} of {}", spelled(door, "--places"), text,
                                  counted(colon == std::string::npos ? 1 : 2, "coordinate"), problem.space.size()),
                      "write 3 on a line, and 3:2 on a rectangle"));
      return;
    }
    std::array<double, 2> place{};
    for (std::size_t d = 0; d < problem.space.size(); ++d) {
      const auto number = reader.number("--places", d == 0 ? text.substr(0, colon) : text.substr(colon + 1));
      if (!number) return;
      place[d] = *number;
      const model::Space& space = problem.space[d];
      if (place[d] < space.from || place[d] > space.to)
        issues.push_back(usage_issue(fmt::format("{}: {} = {} is outside the space of the problem, from {} to {}",
                                                 spelled(door, "--places"), space.id, number_text(place[d]),
                                                 number_text(space.from), number_text(space.to))));
    }
    places.push_back(place);
  }
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
