#include "base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <new>

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

// What one process leaves to its copy.
std::atomic<bool>& threads_are_known() {
  static std::atomic<bool> all_ended{true};
  return all_ended;
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
  HandOver hand_over;
  tbb::task_arena arena(std::min(threads, tbb::this_task_arena::max_concurrency()));  // more would make oneTBB print
  arena.execute([&] {
    tbb::parallel_for(
        0, count, [&](int i) { hand_over.call(body, i); }, tbb::simple_partitioner{});
  });
}

void before_fork() {
  tbb::task_scheduler_handle handle{tbb::attach{}};
  threads_are_known() = tbb::finalize(handle, std::nothrow);
}

void after_fork_in_child() {
  if (!threads_are_known()) is_alone() = true;
}

}  // namespace salvo
