#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "base/parallel.hpp"

namespace salvo {

// Who watches tasks while they run. Either may be missing.
template <class T>
struct TaskWatch {
  std::function<bool()> may_begin{};              // asked before each task, by any thread
  std::function<void(int, const T&)> finished{};  // told of each task as soon as it is done, by one thread at a time
};

// Runs the tasks 0 ... count - 1 on at most `threads` threads at a time, for those whose results are worth keeping one
// by one: starts, replicates, sides of profiles. Each has a slot of its own, which is empty if the task was not begun,
// so what is returned does not depend on the number of threads.
template <class T, class Body>
std::vector<std::optional<T>> run_tasks(int count, int threads, const Body& body, const TaskWatch<T>& watch = {}) {
  std::vector<std::optional<T>> slots(static_cast<std::size_t>(count));
  std::mutex guard;
  parallel_for(count, threads, [&](int n) {
    if (watch.may_begin && !watch.may_begin()) return;
    std::optional<T>& slot = slots[static_cast<std::size_t>(n)];
    slot.emplace(body(n));
    if (!watch.finished) return;
    const std::lock_guard lock(guard);
    watch.finished(n, *slot);
  });
  return slots;
}

}  // namespace salvo
