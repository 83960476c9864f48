#pragma once

#include <atomic>

namespace salvo {

// The wish to stop, where a clock would cost too much: integrators look at it in every step. Once it is raised, what
// is being computed is given up, and its numbers mean nothing.
class StopFlag {
 public:
  void raise() { raised_.store(true, std::memory_order_relaxed); }
  void lower() { raised_.store(false, std::memory_order_relaxed); }
  bool is_raised() const { return raised_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> raised_{false};
};

// Whether a flag that need not be there is raised.
inline bool is_raised(const StopFlag* flag) { return flag != nullptr && flag->is_raised(); }

}  // namespace salvo
