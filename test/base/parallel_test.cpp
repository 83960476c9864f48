#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

namespace salvo {
namespace {

class ParallelFor : public testing::TestWithParam<int> {};

TEST_P(ParallelFor, CallsEveryIndexOnce) {
  std::vector<int> calls(1000, 0);
  parallel_for(1000, GetParam(), [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(calls, std::vector<int>(1000, 1));
}

TEST_P(ParallelFor, CallsNothingWhereThereIsNothingToDo) {
  parallel_for(0, GetParam(), [](int) { FAIL(); });
}

TEST_P(ParallelFor, PassesAnExceptionOn) {
  const auto body = [](int i) {
    if (i == 17) throw std::runtime_error("disk full");
  };
  EXPECT_THROW(parallel_for(100, GetParam(), body), std::runtime_error);
}

TEST_P(ParallelFor, NeverUsesMoreThreadsThanAllowed) {
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  parallel_for(500, GetParam(), [&](int) {
    const int now = ++running;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    --running;
  });
  EXPECT_LE(most, GetParam());
}

#if !defined(__SANITIZE_THREAD__)
TEST(ParallelForInACopyOfTheProcess, GoesOn) {
  const auto sum_of = [](int count) {
    std::atomic<int> sum{0};
    parallel_for(count, 4, [&](int i) { sum += i; });
    return sum.load();
  };
  ASSERT_EQ(sum_of(1000), 499'500);
  for (const bool at_work : {false, true}) {
    std::atomic<bool> is_over{false};
    std::thread other;
    if (at_work)
      other = std::thread([&] {
        while (!is_over) sum_of(1000);
      });
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // a copy that waits for nobody dies of it
      after_fork_in_child();
      _exit(sum_of(1000) == 499'500 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    is_over = true;
    if (at_work) other.join();
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(sum_of(1000), 499'500);
}
#endif

#if defined(__SANITIZE_THREAD__)
TEST(ParallelForDeathTest, ARaceInABodyIsReported) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  constexpr int exit_code_of_the_sanitizer = 66;
  const auto race = [] {
    int calls = 0;
    parallel_for(1000, 2, [&](int) { ++calls; });
    std::exit(0);
  };
  EXPECT_EXIT(race(), testing::ExitedWithCode(exit_code_of_the_sanitizer), "data race");
}
#endif

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, testing::Values(1, 2, 5), testing::PrintToStringParamName());

}  // namespace
}  // namespace salvo
