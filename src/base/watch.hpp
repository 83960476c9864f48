#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "base/run_context.hpp"
#include "base/stop_flag.hpp"

namespace salvo {

// Raises a flag as soon as a run should stop. Nobody else needs to read a clock in his innermost loop.
class Watch {
 public:
  using Clock = std::chrono::steady_clock;

  // Watches over `context` and gives it the flag; both must outlive this object, and nobody else may change them.
  explicit Watch(RunContext& context);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // From when it should stop (it may have had to already), work goes on for this long; only then is the flag raised
  // (again). So the equations can be compiled of a run that has to stop at once, and what was reached be described.
  void grant(Clock::duration time);

 private:
  void look();
  bool is_time();

  const RunContext& context_;
  StopFlag flag_{};
  std::optional<Clock::time_point> wished_{};  // when the wish to stop was first seen
  Clock::duration grace_{};                    // how much longer than that work may take
  bool is_over_ = false;
  std::mutex guard_{};  // of the three before it
  std::condition_variable changed_{};
  std::jthread thread_{};
};

}  // namespace salvo
