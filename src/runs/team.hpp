#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/tasks/journal_board.hpp"

namespace salvo::runs {

// Processes that work on one run together and give tasks to each other while they do. The first of them runs the
// command; the others wait until it has opened the run, and work on it.
class Team {
 public:
  virtual ~Team() = default;

  // The first process has opened the run in this folder; the others shall use as many threads (empty: all they may).
  virtual void begin(const std::string& folder, const std::string& threads) = 0;
  // Gives out the tasks to all processes; what they come to is kept in the journal of each. Whoever waits for a task
  // asks now and then whether it is time to stop.
  virtual std::unique_ptr<TaskBoard> share(journal::JournalBoard& own, std::function<bool()> should_stop) = 0;
};

}  // namespace salvo::runs
