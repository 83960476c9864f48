#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fit_run.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/run_folder.hpp"
#include "cli/run_header.hpp"
#include "cli/tell.hpp"
#include "fit/study.hpp"
#include "report/folder_update.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"

namespace salvo::cli {
namespace {

void write_study(const fit::StudyResult& result, const std::string& folder) {
  std::error_code error;  // if it cannot be made, nothing can be written into it either, and that is told
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path(folder);
  report::write_file((path / "summary.txt").string(), report::study_summary(result));
  report::write_file((path / "study.json").string(), report::study_json(result));  // last: others look for it
}

}  // namespace

int study_command(const StudyArguments& arguments) {
  options::OptionReader reader;
  fit::StudyOptions options;
  options.replicates =
      reader.count("--replicates", arguments.replicates, 1, options::most_replicates).value_or(options.replicates);
  options.truth = reader.assignments("--truth", arguments.truth);
  if (!reader.is_content()) return refuse(reader.issues(), arguments.fit.json);

  const auto prepared = prepare_fit(arguments.fit);
  if (!prepared) return refuse(prepared.issues(), arguments.fit.json);
  options.fit = prepared->options;
  if (arguments.fit.intervals) options.intervals = options.fit.intervals;
  const Issues unknown = options::check_option_names(prepared->problem, options.truth, "--truth");
  if (!unknown.empty()) return refuse(unknown, arguments.fit.json);

  // The guess of a study from a finished fit holds its estimates: they are the truth, too, unless another is stated.
  if (arguments.fit.from && options.truth.empty()) options.truth = prepared->options.guess;

  catch_interrupts();
  if (arguments.fit.resume && !arguments.fit.out)
    return refuse({usage_issue("--resume needs the folder that the study was to write", "name it by --out")},
                  arguments.fit.json);
  Result<Board> board = Board{};
  journal::RunHeader header = header_of_study(arguments, *prepared, options);
  if (arguments.fit.out) board = open_run(*arguments.fit.out, header, arguments.fit.resume);
  if (!board) return refuse(board.issues(), arguments.fit.json);
  options.fit.planned = planned_of(header);
  tell_warnings(prepared->warnings);
  tell_remarks(prepared->problem, volume_of(arguments.fit));
  Progress progress(volume_of(arguments.fit), "replicates", options.fit.max_seconds);
  const fit::StudyResult result = fit::study(prepared->problem, options, watched_by(progress, *board));
  progress.finish();

  if (arguments.fit.out) write_study(result, *arguments.fit.out);
  if (*board) (*board)->tell_written();
  if (arguments.fit.json) {
    print(report::study_json(result));
  } else if (!arguments.fit.quiet) {
    print(report::study_summary(result));
  }
  if (!result.ok && (arguments.fit.json || arguments.fit.quiet))
    print_error(fmt::format("salvo: {}\n", result.message));
  if (was_interrupted()) return exit_code::interrupted;
  return result.ok ? exit_code::done : exit_code::no_answer;
}

}  // namespace salvo::cli
