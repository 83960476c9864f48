#include "runs/prepared_run.hpp"

#include <filesystem>
#include <utility>

#include "fit/fit.hpp"
#include "formats/problem/read.hpp"
#include "report/folder_update.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"
#include "report/write.hpp"

namespace salvo::runs {
namespace {

namespace fs = std::filesystem;
using options::Door;

void append(Issues& issues, const Issues& more) { issues.insert(issues.end(), more.begin(), more.end()); }

// Results name files as they were named when the run began.
Result<model::Problem> read_from(const RunWords& words, const std::string& stood_in) {
  if (stood_in.empty()) return formats::read_problem(words.problem, {.data = words.data});
  const fs::path base(stood_in);
  Word data = words.data;
  if (data) data = (base / *data).string();
  auto problem = formats::read_problem((base / words.problem).string(), {.data = data});
  if (!problem) return problem;
  problem->file = words.problem;
  const std::string before = fs::path(words.problem).is_absolute() ? std::string{} : (base / "").string();
  for (model::InputFile& file : problem->files_read) {
    if (data && file.name == *data)
      file.name = *words.data;
    else if (file.name.starts_with(before))
      file.name.erase(0, before.size());
  }
  return problem;
}

// What is wrong with the options of a study, as far as no problem is needed to see it.
Result<fit::StudyOptions> study_options(const RunWords& words, Door door) {
  options::OptionReader reader(door);
  fit::StudyOptions study;
  study.replicates =
      reader.count("--replicates", words.replicates, 1, options::most_replicates).value_or(study.replicates);
  study.truth = reader.assignments("--truth", words.truth);
  if (!reader.is_content()) return reader.issues();
  return study;
}

Issues prepare_study(PreparedRun& run, Door door) {
  auto study = study_options(run.words, door);
  if (!study) return study.issues();
  study->fit = run.options;
  if (run.words.fit.intervals) study->intervals = run.options.intervals;
  // The guess of a study from a finished fit holds its estimates: they are the truth, too, unless another is stated.
  if (run.words.fit.from && study->truth.empty()) study->truth = run.options.guess;
  run.study = std::move(*study);
  return options::check_option_names(run.problem, run.study->truth, "--truth", door);
}

// What an earlier fit says may change while this run goes on: others shall begin from the same numbers.
void keep_what_was_read(PreparedRun& run) {
  if (!run.words.fit.from) return;
  run.words.fit.from.reset();
  run.words.fit.guess = {exactly(run.options.guess)};
  if (run.study) run.words.truth = {exactly(run.study->truth)};
}

void write_study(const fit::StudyResult& result, const std::string& folder) {
  std::error_code error;  // if it cannot be made, nothing can be written into it either, and that is told
  fs::create_directories(folder, error);
  report::write_file((fs::path(folder) / "summary.txt").string(), report::study_summary(result));
  report::write_file((fs::path(folder) / "study.json").string(), report::study_json(result));  // others look for it
}

}  // namespace

Result<PreparedRun> prepare_run(RunWords words, const std::string& stood_in) {
  Issues issues;
  if (words.command == "study")
    if (const auto study = study_options(words, Door::command_line); !study) return study.issues();
  auto problem = read_from(words, stood_in);
  if (problem) return prepare_run(std::move(words), std::move(*problem), Door::command_line);
  issues = options::check_words(words.fit);
  append(issues, problem.issues());
  return issues;
}

Result<PreparedRun> prepare_run(RunWords words, model::Problem problem, Door door) {
  auto prepared = options::prepare_fit(words.fit, std::move(problem), door);
  if (!prepared) return prepared.issues();
  PreparedRun run{.words = std::move(words),
                  .problem = std::move(prepared->problem),
                  .options = std::move(prepared->options),
                  .warnings = std::move(prepared->warnings)};
  if (run.words.command == "study")
    if (Issues issues = prepare_study(run, door); !issues.empty()) return issues;
  if (run.words.command == "profile") {
    auto profiles = options::prepare_profiles(run.words.profile, run.problem, door);
    if (!profiles) return profiles.issues();
    run.profiles = std::move(*profiles);
  } else if (run.words.fit.profiles) {
    run.profiles = fit::ProfileOptions{.trajectories = true};
  }
  keep_what_was_read(run);
  return run;
}

bool has_tasks(const PreparedRun& run) { return run.study || run.profiles || run.options.starts > 1; }

RunResult compute(const PreparedRun& run, const RunContext& context) {
  if (run.study) return fit::study(run.problem, *run.study, context);
  if (run.profiles) return fit::profile(run.problem, run.options, *run.profiles, context);
  return fit::fit(run.problem, run.options, context);
}

void write_results(const PreparedRun& run, const RunResult& result, const std::string& folder) {
  if (const auto* study = std::get_if<fit::StudyResult>(&result)) return write_study(*study, folder);
  report::write_fit(run.problem, std::get<FitResult>(result), folder,
                    {.command = run.words.command_line,
                     .seed = run.options.seed,
                     .threads = run.options.threads,
                     .files = run.problem.files_read});
}

}  // namespace salvo::runs
