#include "runs/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/tasks/files.hpp"
#include "base/words.hpp"
#include "runs/header.hpp"
#include "runs/run_file.hpp"

namespace salvo::runs {
namespace {

namespace fs = std::filesystem;
using journal::Reader;
using options::Door;
using options::spelled;
using options::usage_issue;

std::string path_in(const std::string& folder, const std::string& name) { return (fs::path(folder) / name).string(); }

// A process that was killed a moment ago may still hold its journal.
bool is_held(const std::string& path) {
  constexpr int looks = 20;
  constexpr std::chrono::milliseconds between_looks{100};
  for (int n = 0; n < looks && journal::is_being_written(path); ++n) std::this_thread::sleep_for(between_looks);
  return journal::is_being_written(path);
}

Issues somebody_at_work(const std::string& folder, Door door) {
  for (const std::string& name : journal::journals_in(folder))
    if (is_held(path_in(folder, name)))
      return {
          usage_issue(fmt::format("'{}' is in use: another process writes {} there", folder, name),
                      fmt::format("join it with salvo work {}, or choose another {}", folder, spelled(door, "--out")))};
  return {};
}

// What no result holds yet.
long unwritten(const Reader& run) { return std::max(0L, run.count_all() - run.written()); }

Issue cut_off(const std::string& folder, long tasks, Door door) {
  return usage_issue(fmt::format("'{}' holds a run that was cut off: {} finished there, in no result yet", folder,
                                 tasks == 1 ? "one task is" : fmt::format("{} tasks are", tasks)),
                     fmt::format("go on with it by {}, or choose another {}; removing its journal.*.jsonl files gives "
                                 "it up",
                                 spelled(door, "--resume"), spelled(door, "--out")));
}

// Of other runs, whose files or options are not those of this one.
Issues cut_off_strangers(const std::string& folder, const Reader& run, Door door) {
  for (const Reader::Stranger& stranger : run.strangers())
    if (const long tasks = unwritten(Reader(folder, stranger.header)); tasks > 0) return {cut_off(folder, tasks, door)};
  return {};
}

Issues differing(const std::string& folder, const journal::RunHeader& header, const Reader& run, Door door) {
  for (const Reader::Stranger& stranger : run.strangers()) {
    const bool is_unfinished = unwritten(Reader(folder, stranger.header)) > 0;
    if (stranger.header.value("command") != header.value("command") && !is_unfinished) continue;
    return {usage_issue(
        fmt::format("{}: '{}' holds another run: {}", spelled(door, "--resume"), folder,
                    header.difference_to(stranger.header)),
        fmt::format("undo the change to go on with it, or choose another {} to begin anew", spelled(door, "--out")))};
  }
  return {};
}

void adopt_plan(const std::string& folder, journal::RunHeader& header) {
  const Reader all(folder, {});
  for (const Reader::Stranger& stranger : all.strangers())
    if (stranger.header.value("command") == header.value("command")) return header.adopt(planned_for, stranger.header);
  if (const auto file = read_run_file(folder); file && file->header.value("command") == header.value("command"))
    header.adopt(planned_for, file->header);
}

// Nothing but what begins as a journal does.
void remove_journals(const std::string& folder) {
  std::error_code error;
  const Reader all(folder, {});
  for (const Reader::Stranger& stranger : all.strangers()) fs::remove(path_in(folder, stranger.file), error);
}

// Journals of runs whose results these replace go away with the results of this one.
Issues open_tasks(OpenRun& open, journal::RunHeader& header, const Opening& opening) {
  const std::string& folder = open.folder;
  if (opening.resume) adopt_plan(folder, header);
  const Reader run(folder, header);
  if (Issues trouble =
          opening.resume ? differing(folder, header, run, opening.door) : cut_off_strangers(folder, run, opening.door);
      !trouble.empty())
    return trouble;
  if (!opening.resume && unwritten(run) > 0) return {cut_off(folder, unwritten(run), opening.door)};
  if (run.damaged() > 0)
    open.notes.push_back(fmt::format("{} in the journals of '{}' cannot be read; {} tasks are done again",
                                     counted(run.damaged(), "line"), folder, run.damaged() == 1 ? "its" : "their"));
  if (!opening.resume || run.count_all() == 0) remove_journals(folder);
  std::error_code error;
  for (const Reader::Stranger& stranger : run.strangers()) fs::remove(path_in(folder, stranger.file), error);
  open.board = std::make_unique<journal::JournalBoard>(folder, header);
  return {};
}

Issues open_states(OpenRun& open, const journal::RunHeader& header, const Opening& opening) {
  open.states = std::make_unique<journal::StateFiles>(open.folder, header, opening.resume);
  const std::string difference = open.states->difference();
  const std::string resume = spelled(opening.door, "--resume");
  if (opening.resume && !difference.empty())
    return {usage_issue(fmt::format("{}: '{}' holds the state of another run: {}", resume, open.folder, difference),
                        fmt::format("undo the change to go on with it, or begin anew without {}", resume))};
  if (!opening.resume && open.states->is_there())
    open.notes.push_back(
        fmt::format("a fit that was cut off in '{}' is begun again; {} goes on with it", open.folder, resume));
  return {};
}

}  // namespace

Result<OpenRun> open_run(const std::string& folder, PreparedRun& run, const Opening& opening) {
  OpenRun open{.folder = folder};
  std::error_code error;
  if (has_tasks(run)) fs::create_directories(folder, error);  // where it cannot be, the journal says so
  if (Issues trouble = somebody_at_work(folder, opening.door); !trouble.empty()) return trouble;
  journal::RunHeader header = header_of(run, opening.changes);
  Issues trouble =
      has_tasks(run) ? open_tasks(open, header, opening) : cut_off_strangers(folder, Reader(folder, {}), opening.door);
  if (trouble.empty() && !run.study) trouble = open_states(open, header, opening);
  if (!trouble.empty()) return trouble;
  if (has_tasks(run)) write_run_file(folder, header, run.words);
  plan_as(header, run);
  open.header = std::move(header);
  return open;
}

std::vector<std::string> close_run(OpenRun& open, const RunResult& result) {
  std::vector<std::string> notes;
  const auto* fitted = std::get_if<FitResult>(&result);
  if (open.states && fitted != nullptr) {
    if (!open.states->trouble().empty())
      notes.push_back(fmt::format("the state of the fit could not be kept: {}", open.states->trouble()));
    const bool is_stopped =
        fitted->status == Status::interrupted || fitted->ended == "deadline" || fitted->ended == "interrupted";
    if (!is_stopped) open.states->remove();
  }
  if (open.board) {
    open.board->tell_written();
  } else {
    remove_journals(open.folder);
    remove_run_file(open.folder);
  }
  return notes;
}

RunContext with_files_of(const OpenRun& open, RunContext context) {
  context.board = open.board.get();
  context.keeper = open.states.get();
  return context;
}

}  // namespace salvo::runs
