#include "cli/task_command.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/show.hpp"
#include "cli/tell.hpp"
#include "report/run_status.hpp"
#include "runs/folder.hpp"
#include "runs/run_file.hpp"
#include "runs/status.hpp"
#include "runs/team.hpp"

namespace salvo::cli {
namespace {

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) print_note(note);
}

void tell_what_was_read(const runs::PreparedRun& run, const FitArguments& arguments) {
  tell_warnings(run.warnings);
  if (run.words.command == "fit")
    tell_warnings(run.problem.warnings);  // its remarks are part of the message at the end
  else
    tell_remarks(run.problem, volume_of(arguments));
}

Result<runs::OpenRun> opened(runs::PreparedRun& run, const FitArguments& arguments,
                             const std::optional<std::string>& folder) {
  if (arguments.prepare && (!folder || !runs::has_tasks(run)))
    return usage_issue("--prepare is for runs with several tasks and a folder of their own",
                       "say --starts N or --profiles, and of a study --out DIR");
  if (!folder) return runs::OpenRun{};
  if (Issues trouble = options::check_folder(*folder); !trouble.empty()) return trouble;
  return runs::open_run(*folder, run, {.resume = arguments.resume});
}

// For others to work on.
int leave_to_others(const std::string& folder, const FitArguments& arguments) {
  const auto status = runs::status(folder);
  if (!status) return refuse(status.issues(), arguments.json);
  if (arguments.json) print(report::run_status_json(*status));
  if (!arguments.json && !arguments.quiet) print(report::run_status_summary(*status));
  return exit_code::done;
}

// Lets a team take part, in tasks where there are any; those of a run without a folder stay here.
std::unique_ptr<TaskBoard> shared_with(runs::Team& team, const runs::PreparedRun& run, const runs::OpenRun& open,
                                       RunContext& context) {
  const std::string threads = run.words.fit.threads.value_or("");
  if (!runs::has_tasks(run)) {
    const std::string here = std::filesystem::current_path().string();
    team.begin({here, threads, runs::run_text(here, open.header, run.words)});
    context.helpers = &team.helpers();
    return nullptr;
  }
  if (!open.board) return nullptr;
  RunContext stopping = context;
  if (run.options.max_seconds) stopping.stop_after(*run.options.max_seconds);
  team.begin({open.folder, threads, {}});
  auto shared = team.share(*open.board, [stopping] { return stopping.should_stop(); });
  context.board = shared.get();
  return shared;
}

// Why the results could not be written, if they could not. What was found is then still told.
std::string written(const runs::PreparedRun& run, const runs::RunResult& result, runs::OpenRun& open) {
  if (open.folder.empty()) return {};
  try {
    runs::write_results(run, result, open.folder);
    print_notes(runs::close_run(open, result));
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return {};
}

}  // namespace

std::string default_folder(const std::string& problem_file) {
  return std::filesystem::path(problem_file).stem().string() + ".fit";
}

runs::RunWords words_of(std::string command, const FitArguments& arguments) {
  return {.command = std::move(command),
          .command_line = arguments.command_line,
          .problem = arguments.problem,
          .data = arguments.data,
          .fit = arguments};
}

int run_command(runs::RunWords words, const FitArguments& arguments, const std::optional<std::string>& folder,
                const std::string& many) {
  leave_to_schedulers();
  auto run = runs::prepare_run(std::move(words));
  if (!run) return refuse(run.issues(), arguments.json);
  catch_interrupts();
  catch_wishes_of_schedulers();
  auto open = opened(*run, arguments, folder);
  if (!open) return refuse(open.issues(), arguments.json);
  tell_what_was_read(*run, arguments);
  print_notes(open->notes);
  if (arguments.prepare) {
    open->board.reset();  // whose journal holds nothing
    return leave_to_others(*folder, arguments);
  }

  Progress progress(volume_of(arguments), run->options.starts > 1 || many != "starts" ? many : "",
                    run->options.max_seconds);
  RunContext context = runs::with_files_of(*open, watched_by(progress));
  const std::unique_ptr<TaskBoard> shared =
      arguments.team != nullptr ? shared_with(*arguments.team, *run, *open, context) : nullptr;
  const runs::RunResult result = runs::compute(*run, context);
  progress.finish();

  const std::string trouble = written(*run, result, *open);
  show(*run, result, {arguments.json, arguments.quiet, arguments.verbose}, trouble.empty() ? open->folder : "");
  if (trouble.empty()) return exit_code_of(*run, result);
  print_error(fmt::format("salvo: {}\n", trouble));
  return exit_code::usage;
}

}  // namespace salvo::cli
