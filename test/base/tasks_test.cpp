#include "base/tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace salvo {
namespace {

class Tasks : public testing::TestWithParam<int> {};

TEST_P(Tasks, WriteEachIntoItsOwnSlot) {
  const auto slots = run_tasks<std::string>(100, GetParam(), [](int n) { return std::to_string(n * n); });
  ASSERT_EQ(slots.size(), 100U);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(slots[static_cast<std::size_t>(n)], std::to_string(n * n));
}

TEST_P(Tasks, AreToldOfOnceEachByOneThreadAtATime) {
  std::vector<int> told(200, 0);  // whoever is told guards nothing
  int all = 0;
  run_tasks<int>(200, GetParam(), [](int n) { return 3 * n; }, {.finished = [&](int n, const int& result) {
                   EXPECT_EQ(result, 3 * n);
                   ++told[static_cast<std::size_t>(n)];
                   ++all;
                 }});
  EXPECT_EQ(told, std::vector<int>(200, 1));
  EXPECT_EQ(all, 200);
}

TEST_P(Tasks, ThatMayNotBeginLeaveTheirSlotsEmptyAndAreNotToldOf) {
  std::atomic<int> begun{0};
  std::atomic<int> asked{0};
  int told = 0;
  const auto slots =
      run_tasks<int>(50, GetParam(), [&](int n) { return ++begun, n; },
                     {.may_begin = [&] { return ++asked <= 20; }, .finished = [&](int, const int&) { ++told; }});
  int filled = 0;
  for (const auto& slot : slots) filled += slot.has_value() ? 1 : 0;
  EXPECT_EQ(begun, 20);
  EXPECT_EQ(filled, 20);
  EXPECT_EQ(told, 20);
  EXPECT_EQ(asked, 50);
}

TEST_P(Tasks, PassAnExceptionOn) {
  const auto body = [](int n) {
    if (n == 7) throw std::runtime_error("disk full");
    return n;
  };
  EXPECT_THROW(run_tasks<int>(20, GetParam(), body), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Threads, Tasks, testing::Values(1, 2, 5), testing::PrintToStringParamName());

}  // namespace
}  // namespace salvo
