#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
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
