#include "base/tasks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/tasks/board.hpp"

namespace salvo {
namespace {

class EveryTask : public testing::TestWithParam<int> {};

TEST_P(EveryTask, WritesIntoItsOwnSlot) {
  const auto slots =
      run_tasks(Tasks<std::string>{.list = {"", 100}, .run = [](int n) { return std::to_string(n * n); }}, GetParam());
  ASSERT_EQ(slots.size(), 100U);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(slots[static_cast<std::size_t>(n)].result, std::to_string(n * n));
}

TEST_P(EveryTask, IsToldOfOnceByOneThreadAtATime) {
  std::vector<int> told(200, 0);  // whoever is told guards nothing
  int all = 0;
  Tasks<int> tasks{.list = {"", 200}, .run = [](int n) { return 3 * n; }};
  tasks.watch.finished = [&](int n, const int& result) {
    EXPECT_EQ(result, 3 * n);
    ++told[static_cast<std::size_t>(n)];
    ++all;
  };
  run_tasks(tasks, GetParam());
  EXPECT_EQ(told, std::vector<int>(200, 1));
  EXPECT_EQ(all, 200);
}

TEST_P(EveryTask, IsTakenInOrder) {
  std::vector<int> taken;
  const Tasks<int> tasks{.list = {"", 200}, .run = [](int n) { return n; }};
  run_tasks<int>(tasks, GetParam(), [&](int n, const TaskOutcome<int>& outcome) {
    EXPECT_EQ(outcome.result, n);
    taken.push_back(n);
  });
  ASSERT_EQ(taken.size(), 200U);
  for (int n = 0; n < 200; ++n) EXPECT_EQ(taken[static_cast<std::size_t>(n)], n);
}

TEST_P(EveryTask, ThatMayNotBeginLeavesItsSlotEmptyAndIsNotToldOf) {
  std::atomic<int> begun{0};
  std::atomic<int> asked{0};
  int told = 0;
  Tasks<int> tasks{.list = {"", 50}, .run = [&](int n) { return ++begun, n; }};
  tasks.watch = {.may_begin = [&] { return ++asked <= 20; }, .finished = [&](int, const int&) { ++told; }};
  int filled = 0;
  for (const auto& slot : run_tasks(tasks, GetParam())) filled += slot.result.has_value() ? 1 : 0;
  EXPECT_EQ(begun, 20);
  EXPECT_EQ(filled, 20);
  EXPECT_EQ(told, 20);
  EXPECT_EQ(asked, 50);
}

TEST_P(EveryTask, PassesAnExceptionOn) {
  std::atomic<int> begun{0};
  const Tasks<int> tasks{.list = {"", 10'000}, .run = [&](int n) {
                           if (++begun; n == 7) throw std::runtime_error("disk full");
                           return n;
                         }};
  EXPECT_THROW(run_tasks(tasks, GetParam()), std::runtime_error);
  EXPECT_LT(begun, 10'000) << "nothing new is begun";
}

INSTANTIATE_TEST_SUITE_P(Threads, EveryTask, testing::Values(1, 2, 5), testing::PrintToStringParamName());

}  // namespace
}  // namespace salvo
