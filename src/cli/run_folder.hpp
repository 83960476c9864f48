#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "base/tasks/journal_board.hpp"

// The folder of a run: its results, and the journals from which it is taken up again.
namespace salvo::cli {

using Board = std::unique_ptr<journal::JournalBoard>;

// The board of a run that begins, or goes on where an earlier one ended. Issues: somebody is at work there, an earlier
// run was cut off and would be lost, or another one is to be resumed. The folder is made where it is missing. A header
// that is resumed is planned for as many tasks as it was.
Result<Board> open_run(const std::string& folder, journal::RunHeader& header, bool resume);

// The same for a command without tasks, which leaves the journals of finished runs alone until its results are written.
Issues check_run(const std::string& folder);
void remove_journals(const std::string& folder);

}  // namespace salvo::cli
