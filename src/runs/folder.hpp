#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/tasks/journal_board.hpp"
#include "base/tasks/state_files.hpp"
#include "runs/prepared_run.hpp"

// The folder of a run: its results, and the files from which it is taken up again.
namespace salvo::runs {

struct OpenRun {
  std::string folder{};
  journal::RunHeader header{};
  std::unique_ptr<journal::JournalBoard> board{};  // null: one fit, which has no tasks
  std::unique_ptr<journal::StateFiles> states{};   // of one long fit
  std::vector<std::string> notes{};                // worth a word
};

struct Opening {
  bool resume = false;
  std::string changes{};  // to the problem, see header_of
  options::Door door = options::Door::command_line;
};

// Begins a run, or goes on where an earlier one ended; the folder is made where it is missing. Issues: somebody is at
// work there, an earlier run was cut off and would be lost, or another one is to be resumed. A run that is resumed is
// planned for as many tasks as it was.
Result<OpenRun> open_run(const std::string& folder, PreparedRun& run, const Opening& opening);

// Its results have been written; notes tell what could not be kept.
std::vector<std::string> close_run(OpenRun& open, const RunResult& result);

// As seen by whoever computes.
RunContext with_files_of(const OpenRun& open, RunContext context);

}  // namespace salvo::runs
