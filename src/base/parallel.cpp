#include "base/parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#if defined(SALVO_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace salvo {
namespace {

#if defined(SALVO_THREAD_SANITIZER)

// ThreadSanitizer does not see into the archive's oneTBB, so it is told what parallel_for promises: what the caller has
// done comes before each call, and each call before what the caller does next. It knows of no order among the calls.
class HandOver {
 public:
  HandOver() { __tsan_release(&begin_); }
  ~HandOver() { __tsan_acquire(&end_); }
  void call(const std::function<void(int)>& body, int i) {
    __tsan_acquire(&begin_);
    const Finished finished{&end_};
    body(i);
  }

 private:
  struct Finished {
    char* end;
    ~Finished() { __tsan_release(end); }
  };
  char begin_ = 0, end_ = 0;
};

#else

struct HandOver {
  void call(const std::function<void(int)>& body, int i) { body(i); }
};

#endif

// What one process leaves to its copy. oneTBB cannot be asked to end its threads while another thread begins a loop:
// both would wait for each other for ever (oneTBB 2021.8). So a copy of a process that has begun a loop does without
// it.
std::atomic<bool>& has_begun_loops() {
  static std::atomic<bool> begun{false};
  return begun;
}
std::atomic<bool>& is_alone() {
  static std::atomic<bool> without_threads{false};
  return without_threads;
}

}  // namespace

void parallel_for(int count, int threads, const std::function<void(int)>& body) {
  if (threads <= 1 || count <= 1 || is_alone()) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  has_begun_loops() = true;
  HandOver hand_over;
  tbb::task_arena arena(std::min(threads, tbb::this_task_arena::max_concurrency()));  // more would make oneTBB print
  arena.execute([&] {
    tbb::parallel_for(
        0, count, [&](int i) { hand_over.call(body, i); }, tbb::simple_partitioner{});
  });
}

void after_fork_in_child() {
  if (has_begun_loops()) is_alone() = true;
}

}  // namespace salvo
