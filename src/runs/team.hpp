#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/helpers.hpp"
#include "base/tasks/journal_board.hpp"

namespace salvo::runs {

// Processes that work on one run together. The first of them runs the command; the others wait until it has opened the
// run. Tasks are given from one to the other; where there are none, the others help with single evaluations.
class Team {
 public:
  virtual ~Team() = default;

  // What the others are told: which run to work on, and with how many threads (empty: as many as they may).
  struct Call {
    std::string folder{};  // of the run; or, where that has no tasks, the one in which the first process stands
    std::string threads{};
    std::string run{};  // one without tasks, as text (run_file.hpp)
  };
  virtual void begin(const Call& call) = 0;
  // Gives out the tasks to all processes; what they come to is kept in the journal of each. Whoever waits for a task
  // asks now and then whether it is time to stop.
  virtual std::unique_ptr<TaskBoard> share(journal::JournalBoard& own, std::function<bool()> should_stop) = 0;
  // All but the first, for evaluations of the run that has begun.
  virtual Helpers& helpers() = 0;
  // Is one of these until the run is over.
  virtual void help(const AnswerForPart& answer) = 0;
};

}  // namespace salvo::runs
