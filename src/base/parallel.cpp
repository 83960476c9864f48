#include "base/parallel.hpp"

#if defined(SALVO_PLAIN_THREADS)

// ThreadSanitizer does not understand the archive's oneTBB; in that preset we use threads it can watch.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace salvo {

void parallel_for(int count, int threads, const std::function<void(int)>& body) {
  if (threads <= 1 || count <= 1) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  std::atomic<int> next{0};
  std::exception_ptr failure;
  std::mutex failure_guard;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard lock(failure_guard);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> crew;
    for (int i = 0; i < std::min(threads, count); ++i) crew.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace salvo

#else

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace salvo {

void parallel_for(int count, int threads, const std::function<void(int)>& body) {
  if (threads <= 1 || count <= 1) {
    for (int i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::task_arena arena(std::min(threads, tbb::this_task_arena::max_concurrency()));  // more would make oneTBB print
  arena.execute([&] {
    tbb::parallel_for(
        0, count, [&](int i) { body(i); }, tbb::simple_partitioner{});
  });
}

}  // namespace salvo

#endif
