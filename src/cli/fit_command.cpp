#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/prepare.hpp"
#include "cli/tell.hpp"
#include "fit/fit.hpp"
#include "report/display_text.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"
#include "report/write.hpp"

namespace salvo::cli {
namespace {

int exit_code_of(const fit::FitResult& result) {
  if (was_interrupted()) return exit_code::interrupted;
  return result.status == fit::Status::converged ? exit_code::done : exit_code::no_answer;
}

// Before hours of work rather than after them. A folder that does not exist is made when there is something to put into
// it.
Issues check_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path existing = fs::absolute(folder, error);
  while (existing.has_relative_path() && fs::symlink_status(existing, error).type() == fs::file_type::not_found)
    existing = existing.parent_path();
  if (!fs::is_directory(existing, error))
    return {usage_issue(
        fmt::format("--out: the folder '{}' cannot be made: '{}' is not a folder", folder, existing.string()))};
  if (access(existing.c_str(), W_OK | X_OK) == 0) return {};
  return {usage_issue(
      fmt::format("--out: nothing can be written into the folder '{}': {}", existing.string(), std::strerror(errno)))};
}

report::RunRecord record_of(const FitArguments& arguments, const PreparedFit& prepared) {
  return {.command = arguments.command_line,
          .seed = prepared.options.seed,
          .threads = prepared.options.threads,
          .files = prepared.problem.inputs};
}

// Why the folder could not be written, if it could not. What was found is then still told.
std::string write(const model::Problem& problem, const fit::FitResult& result, const std::string& folder,
                  const report::RunRecord& record) {
  try {
    report::write_fit(problem, result, folder, record);
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return {};
}

void show(const model::Problem& problem, const fit::FitResult& result, const FitArguments& arguments,
          const std::string& folder, bool is_written) {
  const bool has_summary = !arguments.json && !arguments.quiet;
  if (arguments.json) print(report::fit_json(problem, result));
  if (has_summary) print(report::fit_summary(problem, result, wants_colour(), sentence_width_out()));
  if (has_summary && arguments.verbose) print(report::certificate_line(result));
  if (has_summary && is_written)
    print(fmt::format("Results: {0}\nReport:  {0}/report.html\n", report::printable(folder)));
  if (!has_summary && result.status != fit::Status::converged) print_error(fmt::format("salvo: {}\n", result.message));
}

}  // namespace

int fit_command(const FitArguments& arguments) {
  const auto prepared = prepare_fit(arguments);
  if (!prepared) return refuse(prepared.issues(), arguments.json);
  const std::string folder = arguments.out.value_or(default_folder(arguments.problem));
  if (const Issues trouble = check_folder(folder); !trouble.empty()) return refuse(trouble, arguments.json);

  catch_interrupts();
  tell_warnings(prepared->warnings);
  tell_remarks(prepared->problem, volume_of(arguments));
  Progress progress(volume_of(arguments), prepared->options.starts > 1 ? "starts" : "", prepared->options.max_seconds);
  const fit::FitResult result = fit::fit(prepared->problem, prepared->options, watched_by(progress));
  progress.finish();

  const std::string trouble = write(prepared->problem, result, folder, record_of(arguments, *prepared));
  show(prepared->problem, result, arguments, folder, trouble.empty());
  if (trouble.empty()) return exit_code_of(result);
  print_error(fmt::format("salvo: {}\n", trouble));
  return exit_code::usage;
}

}  // namespace salvo::cli
