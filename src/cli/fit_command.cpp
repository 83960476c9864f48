#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fit_run.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/run_folder.hpp"
#include "cli/run_header.hpp"
#include "cli/tell.hpp"
#include "fit/fit.hpp"
#include "fit/profile.hpp"
#include "report/display_text.hpp"
#include "report/json.hpp"
#include "report/profiles.hpp"
#include "report/summary.hpp"

namespace salvo::cli {
namespace {

int exit_code_of(const FitResult& result) {
  if (was_interrupted()) return exit_code::interrupted;
  return result.status == Status::converged ? exit_code::done : exit_code::no_answer;
}

void show(const model::Problem& problem, const FitResult& result, const FitArguments& arguments,
          const std::string& folder, bool is_written) {
  const bool has_summary = !arguments.json && !arguments.quiet;
  if (arguments.json) print(report::fit_json(problem, result));
  if (has_summary) print(report::fit_summary(problem, result, wants_colour(), sentence_width_out()));
  if (has_summary && result.profiles) print("\n" + report::profiles_summary(result, wants_colour()));
  if (has_summary && arguments.verbose) print(report::certificate_line(result));
  if (has_summary && is_written)
    print(fmt::format("Results: {0}\nReport:  {0}/report.html\n", report::printable(folder)));
  if (!has_summary && result.status != Status::converged) print_error(fmt::format("salvo: {}\n", result.message));
}

// One fit has no tasks.
Result<Board> nothing_to_keep(const std::string& folder) {
  if (Issues trouble = check_run(folder); !trouble.empty()) return trouble;
  return Board{};
}

}  // namespace

int fit_command(const FitArguments& arguments) {
  auto prepared = prepare_fit(arguments);
  if (!prepared) return refuse(prepared.issues(), arguments.json);
  const std::string folder = arguments.out.value_or(default_folder(arguments.problem));
  if (const Issues trouble = check_folder(folder); !trouble.empty()) return refuse(trouble, arguments.json);

  catch_interrupts();
  const bool has_tasks = prepared->options.starts > 1 || arguments.profiles;
  journal::RunHeader header = header_of_fit(arguments, *prepared);
  auto board = has_tasks ? open_run(folder, header, arguments.resume) : nothing_to_keep(folder);
  if (!board) return refuse(board.issues(), arguments.json);
  prepared->options.planned = planned_of(header);
  tell_warnings(prepared->warnings);
  tell_warnings(prepared->problem.warnings);  // its remarks are part of the message at the end
  Progress progress(volume_of(arguments), prepared->options.starts > 1 ? "starts" : "", prepared->options.max_seconds);
  const RunContext context = watched_by(progress, *board);
  const FitResult result = arguments.profiles
                               ? fit::profile(prepared->problem, prepared->options, {.trajectories = true}, context)
                               : fit::fit(prepared->problem, prepared->options, context);
  progress.finish();

  const std::string trouble = write_results(prepared->problem, result, folder, record_of(arguments, *prepared));
  if (trouble.empty() && *board) (*board)->tell_written();
  if (trouble.empty() && !*board) remove_journals(folder);  // of runs whose results these have replaced
  show(prepared->problem, result, arguments, folder, trouble.empty());
  if (trouble.empty()) return exit_code_of(result);
  print_error(fmt::format("salvo: {}\n", trouble));
  return exit_code::usage;
}

}  // namespace salvo::cli
