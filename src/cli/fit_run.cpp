#include "cli/fit_run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "cli/output.hpp"
#include "fit/profile.hpp"
#include "formats/problem/read.hpp"
#include "report/write.hpp"

namespace salvo::cli {

Result<PreparedFit> prepare_fit(const FitArguments& arguments) {
  auto problem = formats::read_problem(arguments.problem, {.data = arguments.data});
  if (problem) return options::prepare_fit(arguments, std::move(*problem));
  Issues issues = options::check_words(arguments);
  issues.insert(issues.end(), problem.issues().begin(), problem.issues().end());
  return issues;
}

std::string default_folder(const std::string& problem_file) {
  return std::filesystem::path(problem_file).stem().string() + ".fit";
}

report::RunRecord record_of(const FitArguments& arguments, const PreparedFit& prepared) {
  return {.command = arguments.command_line,
          .seed = prepared.options.seed,
          .threads = prepared.options.threads,
          .files = prepared.problem.files_read};
}

std::string write_results(const model::Problem& problem, const FitResult& result, const std::string& folder,
                          const report::RunRecord& record) {
  try {
    report::write_fit(problem, result, folder, record);
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return {};
}

namespace {

// "prey@12,14", "low:prey@12", "x1/(x1 + x2)@12" or, without states, "p1/p2"
void read_prediction(options::OptionReader& reader, const std::string& text, fit::ProfileOptions& options,
                     Issues& issues) {
  const std::size_t at = text.rfind('@');
  fit::PredictionWanted wanted{.formula = text.substr(0, at)};
  if (const std::size_t colon = wanted.formula.find(':'); colon != std::string::npos) {
    wanted.experiment = wanted.formula.substr(0, colon);
    wanted.formula.erase(0, colon + 1);
  }
  if (wanted.formula.empty()) {
    issues.push_back(usage_issue(fmt::format("--predict wants FORMULA@TIMES, not '{}'", text), "as in prey@12,14"));
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

Result<fit::ProfileOptions> read_profiles(const ProfileArguments& arguments, const model::Problem& problem) {
  options::OptionReader reader(problem);
  Issues issues;
  fit::ProfileOptions options{.trajectories = true};
  options.level = reader.between("--level", arguments.level, 0.01, 0.9999).value_or(options.level);
  options.ids = options::OptionReader::list(arguments.parameters);
  for (const std::string& text : arguments.predict) read_prediction(reader, text, options, issues);
  issues.insert(issues.begin(), reader.issues().begin(), reader.issues().end());
  if (issues.empty())
    for (const auto& [option, part] : {std::pair{"--parameters", fit::ProfileOptions{.ids = options.ids}},
                                       std::pair{"--predict", fit::ProfileOptions{.predictions = options.predictions}}})
      for (Issue issue : fit::check_profiles(problem, part)) {
        issue.kind = Issue::Kind::unreadable;
        issue.message = fmt::format("{}: {}", option, issue.message);
        issues.push_back(std::move(issue));
      }
  if (!issues.empty()) return issues;
  return options;
}

}  // namespace salvo::cli
