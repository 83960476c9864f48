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

}  // namespace salvo::cli
