#include "cli/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/tasks/files.hpp"
#include "base/words.hpp"
#include "cli/output.hpp"
#include "cli/run_header.hpp"

namespace salvo::cli {
namespace {

namespace fs = std::filesystem;

std::string path_in(const std::string& folder, const std::string& name) { return (fs::path(folder) / name).string(); }

Issues somebody_at_work(const std::string& folder) {
  for (const std::string& name : journal::journals_in(folder))
    if (journal::is_being_written(path_in(folder, name)))
      return {usage_issue(fmt::format("'{}' is in use: another process writes {} there", folder, name),
                          fmt::format("join it with salvo work {}, or choose another --out", folder))};
  return {};
}

// What no result holds yet.
long unwritten(const journal::Reader& run) { return std::max(0L, run.count_all() - run.written()); }

Issue cut_off(const std::string& folder, long tasks) {
  return usage_issue(
      fmt::format("'{}' holds a run that was cut off: {} finished there, in no result yet", folder,
                  tasks == 1 ? "one task is" : fmt::format("{} tasks are", tasks)),
      "go on with it by --resume, or choose another --out; removing its journal.*.jsonl files gives it up");
}

// Of other runs, whose files or options are not those of this one.
Issues cut_off_strangers(const std::string& folder, const journal::Reader& run) {
  for (const journal::Reader::Stranger& stranger : run.strangers())
    if (const long tasks = unwritten(journal::Reader(folder, stranger.header)); tasks > 0)
      return {cut_off(folder, tasks)};
  return {};
}

Issues differing(const std::string& folder, const journal::RunHeader& header, const journal::Reader& run) {
  for (const journal::Reader::Stranger& stranger : run.strangers()) {
    const bool is_unfinished = unwritten(journal::Reader(folder, stranger.header)) > 0;
    if (stranger.header.value("command") != header.value("command") && !is_unfinished) continue;
    return {
        usage_issue(fmt::format("--resume: '{}' holds another run: {}", folder, header.difference_to(stranger.header)),
                    "undo the change to go on with it, or choose another --out to begin anew")};
  }
  return {};
}

void adopt_plan(const std::string& folder, journal::RunHeader& header) {
  const journal::Reader all(folder, {});
  for (const journal::Reader::Stranger& stranger : all.strangers())
    if (stranger.header.value("command") == header.value("command")) return header.adopt(planned_for, stranger.header);
}

}  // namespace

Issues check_run(const std::string& folder) {
  if (Issues trouble = somebody_at_work(folder); !trouble.empty()) return trouble;
  return cut_off_strangers(folder, journal::Reader(folder, {}));
}

// Nothing but what begins as a journal does.
void remove_journals(const std::string& folder) {
  std::error_code error;
  const journal::Reader all(folder, {});
  for (const journal::Reader::Stranger& stranger : all.strangers()) fs::remove(path_in(folder, stranger.file), error);
}

Result<Board> open_run(const std::string& folder, journal::RunHeader& header, bool resume) {
  std::error_code error;
  fs::create_directories(folder, error);  // where it cannot be, the journal says so
  if (Issues trouble = somebody_at_work(folder); !trouble.empty()) return trouble;
  if (resume) adopt_plan(folder, header);
  const journal::Reader run(folder, header);
  if (Issues trouble = resume ? differing(folder, header, run) : cut_off_strangers(folder, run); !trouble.empty())
    return trouble;
  if (!resume && unwritten(run) > 0) return cut_off(folder, unwritten(run));
  if (run.damaged() > 0)
    print_note(fmt::format("{} in the journals of '{}' cannot be read; {} tasks are done again",
                           counted(run.damaged(), "line"), folder, run.damaged() == 1 ? "its" : "their"));
  if (!resume || run.count_all() == 0) remove_journals(folder);
  for (const journal::Reader::Stranger& stranger : run.strangers()) fs::remove(path_in(folder, stranger.file), error);
  return std::make_unique<journal::JournalBoard>(folder, header);
}

}  // namespace salvo::cli
