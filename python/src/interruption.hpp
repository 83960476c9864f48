#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <csignal>
#include <functional>

#include "base/stop_flag.hpp"
#include "salvo/objective.hpp"

namespace salvo::python {

// While one of these lives in Python's main thread, Ctrl-C raises a flag at once, and Python hears of it as ever. Short
// computations run on the thread that asks for them, which cannot look for signals meanwhile; a thread of their own
// would cost more than they do.
class FlagOnInterrupt {
 public:
  explicit FlagOnInterrupt(StopFlag& flag);
  ~FlagOnInterrupt();
  FlagOnInterrupt(const FlagOnInterrupt&) = delete;
  FlagOnInterrupt& operator=(const FlagOnInterrupt&) = delete;

 private:
  bool is_ours_ = false;
};

// Computations that share a flag, from any threads. One that Ctrl-C stopped raises KeyboardInterrupt in the main
// thread; those of other threads, which the flag has stopped as well, are done again.
class Interruptible {
 public:
  using Compute = std::function<fit::Objective::Status()>;  // without Python
  fit::Objective::Status run(const Compute& compute);
  const StopFlag* flag() const { return &flag_; }

 private:
  StopFlag flag_{};
  std::atomic<long> interruptions_{0};
};

}  // namespace salvo::python
