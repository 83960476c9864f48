#include <fmt/format.h>

#include <utility>

#include "options/prepare.hpp"

namespace salvo::options {
namespace {

// "prey@12,14", "low:prey@12", "x1/(x1 + x2)@12" or, without states, "p1/p2"
void read_prediction(OptionReader& reader, const std::string& text, Door door, fit::ProfileOptions& options,
                     Issues& issues) {
  const std::size_t at = text.rfind('@');
  fit::PredictionWanted wanted{.formula = text.substr(0, at)};
  // The colon of u(at: 3) stands behind a parenthesis.
  const std::size_t colon = wanted.formula.find(':');
  if (colon != std::string::npos && colon < wanted.formula.find('(')) {
    wanted.experiment = wanted.formula.substr(0, colon);
    wanted.formula.erase(0, colon + 1);
  }
  if (wanted.formula.empty()) {
    issues.push_back(usage_issue(fmt::format("{} wants FORMULA@TIMES, not '{}'", spelled(door, "--predict"), text),
                                 "as in prey@12,14"));
    return;
  }
  if (at == std::string::npos) {
    options.predictions.push_back(wanted);
    return;
  }
  if (const auto times = reader.times("--predict", text.substr(at + 1)))
    for (const double time : *times) {
      wanted.time = time;
      options.predictions.push_back(wanted);
    }
}

}  // namespace

Result<fit::ProfileOptions> prepare_profiles(const ProfileWords& words, const model::Problem& problem, Door door) {
  OptionReader reader(problem, door);
  Issues issues;
  fit::ProfileOptions options{.trajectories = true};
  options.level = reader.between("--level", words.level, 0.01, 0.9999).value_or(options.level);
  options.ids = OptionReader::list(words.parameters);
  for (const std::string& text : words.predict) read_prediction(reader, text, door, options, issues);
  issues.insert(issues.begin(), reader.issues().begin(), reader.issues().end());
  if (issues.empty())
    for (const auto& [option, part] : {std::pair{"--parameters", fit::ProfileOptions{.ids = options.ids}},
                                       std::pair{"--predict", fit::ProfileOptions{.predictions = options.predictions}}})
      for (Issue issue : fit::check_profiles(problem, part)) {
        issue.kind = Issue::Kind::unreadable;
        issue.message = fmt::format("{}: {}", spelled(door, option), issue.message);
        issues.push_back(std::move(issue));
      }
  if (!issues.empty()) return issues;
  return options;
}

}  // namespace salvo::options
