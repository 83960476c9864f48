#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fit_run.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/run_folder.hpp"
#include "cli/run_header.hpp"
#include "cli/tell.hpp"
#include "fit/profile.hpp"
#include "report/profiles.hpp"
#include "report/write.hpp"

namespace salvo::cli {
namespace {

void show(const FitResult& result, const FitArguments& arguments, const std::string& folder, bool is_written) {
  if (arguments.json) print(report::profiles_json(result));
  const bool has_summary = !arguments.json && !arguments.quiet;
  if (has_summary && result.profiles) print(report::profiles_summary(result, wants_colour()));
  if (has_summary && !result.profiles) print(result.message + "\n");
  if (has_summary && is_written) print(fmt::format("Results: {0}\nReport:  {0}/report.html\n", folder));
}

}  // namespace

int profile_command(const ProfileArguments& arguments) {
  auto prepared = prepare_fit(arguments.fit);
  if (!prepared) return refuse(prepared.issues(), arguments.fit.json);
  auto options = options::prepare_profiles(arguments, prepared->problem);
  if (!options) return refuse(options.issues(), arguments.fit.json);
  const std::string folder = arguments.fit.out.value_or(default_folder(arguments.fit.problem));
  if (const Issues trouble = check_folder(folder); !trouble.empty()) return refuse(trouble, arguments.fit.json);
  catch_interrupts();
  journal::RunHeader header = header_of_profile(arguments, *prepared, *options);
  auto board = open_run(folder, header, arguments.fit.resume);
  if (!board) return refuse(board.issues(), arguments.fit.json);

  tell_warnings(prepared->warnings);
  tell_remarks(prepared->problem, volume_of(arguments.fit));
  Progress progress(volume_of(arguments.fit), "sides", prepared->options.max_seconds);
  const FitResult result = fit::profile(prepared->problem, prepared->options, *options, watched_by(progress, *board));
  progress.finish();
  const std::string trouble = write_results(prepared->problem, result, folder, record_of(arguments.fit, *prepared));
  const bool is_complete = result.profiles && result.profiles->complete;
  if (trouble.empty()) (*board)->tell_written();
  show(result, arguments.fit, folder, trouble.empty());
  if (!trouble.empty()) {
    print_error(fmt::format("salvo: {}\n", trouble));
    return exit_code::usage;
  }
  if (was_interrupted()) return exit_code::interrupted;
  return result.status == Status::converged && is_complete ? exit_code::done : exit_code::no_answer;
}

}  // namespace salvo::cli
