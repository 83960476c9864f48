#include "runs/status.hpp"

#include <filesystem>

#include "base/tasks/files.hpp"
#include "base/tasks/journal_board.hpp"
#include "fit/study.hpp"
#include "options/option_reader.hpp"
#include "runs/run_file.hpp"

namespace salvo::runs {
namespace {

using report::RunStatus;

// What was asked for, for lists that nobody has finished a task of.
RunStatus::List planned(const RunWords& words) {
  options::OptionReader reader;
  if (words.command == "study")
    return {.kind = "replicate", .of = reader.count("", words.replicates, 1).value_or(fit::StudyOptions().replicates)};
  return {.kind = "start", .of = reader.count("", words.fit.starts, 1).value_or(1)};
}

void add_lists(const journal::Reader& reader, const RunWords& words, RunStatus& status) {
  for (const journal::Reader::ListFound& list : reader.lists())
    status.lists.push_back({list.kind, list.done, list.count, list.given_up, list.seconds});
  const RunStatus::List first = planned(words);
  const bool has_begun = !status.lists.empty() && status.lists.front().kind != first.kind;
  if (has_begun || words.command == "profile") return;
  if (status.lists.empty()) status.lists.push_back(first);
  status.lists.front().of = std::max(first.of, status.lists.front().of);  // more may have been asked for since
}

void add_processes(const std::string& folder, const journal::Reader& reader, RunStatus& status) {
  for (const std::string& name : reader.files()) {
    if (!journal::is_being_written((std::filesystem::path(folder) / name).string())) continue;
    ++status.processes;
    status.threads += std::max(1, reader.threads(name));
  }
}

std::optional<double> time_left(const RunStatus& status) {
  if (status.lists.empty() || status.threads == 0) return std::nullopt;
  const RunStatus::List& list = status.lists.back();
  if (list.done == 0) return std::nullopt;
  return list.seconds / list.done * (list.of - list.done - list.given_up) / status.threads;
}

}  // namespace

Result<RunStatus> status(const std::string& folder) {
  const auto run = read_run_file(folder);
  if (!run) return run.issues();
  const journal::Reader reader(folder, run->header);
  RunStatus status{.folder = folder, .command = run->words.command, .command_line = run->words.command_line};
  add_lists(reader, run->words, status);
  add_processes(folder, reader, status);
  status.is_written = reader.count_all() > 0 && reader.written() >= reader.count_all();
  status.seconds_left = time_left(status);
  return status;
}

}  // namespace salvo::runs
