#pragma once

#include <optional>
#include <string>

namespace salvo {

// A list of independent tasks: what they are called, and how many there are. What a task comes to depends on the run,
// the name and its index alone.
struct TaskList {
  std::string kind{};
  int count = 0;
  int threads = 1;  // of this process, that work on it
};

// Where tasks are given out and where what they come to is kept, so that a run can be taken up again or be shared by
// several processes. One list at a time is worked on; all functions but `open` may be called by any thread, and all
// throw std::runtime_error where the disk refuses.
class TaskBoard {
 public:
  virtual ~TaskBoard() = default;

  // Returns how many tasks of the list are finished already.
  virtual int open(const TaskList& list) = 0;
  // A task for this process to begin with; nothing: there is none left for it. A thread that asks again has left the
  // task that it was given before, finished or not.
  virtual std::optional<int> next() = 0;
  // The calling thread has finished the task that it was given.
  virtual void keep(int task, const std::string& result, double seconds) = 0;

  struct Kept {
    std::string result{};
    double seconds = 0;
    bool has_crashed = false;  // again and again: there is no result, and nobody is to try any more
  };
  virtual std::optional<Kept> kept(int task) = 0;
};

}  // namespace salvo
