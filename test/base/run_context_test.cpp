#include "base/run_context.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace salvo {
namespace {

using Clock = std::chrono::steady_clock;

TEST(RunContext, GoesOnUntilSomeoneObjects) {
  const RunContext context;
  EXPECT_FALSE(context.should_stop());
  context.tell(Remark{"nobody listens"});
}

TEST(RunContext, StopsAtTheDeadlineAndNotBefore) {
  EXPECT_TRUE(RunContext{.deadline = Clock::now() - std::chrono::seconds(1)}.should_stop());
  EXPECT_FALSE(RunContext{.deadline = Clock::now() + std::chrono::hours(1)}.should_stop());
}

TEST(RunContext, TellsAnInterruptionFromADeadline) {
  const RunContext context{.interrupted = [] { return true; }};
  EXPECT_TRUE(context.should_stop());
  EXPECT_TRUE(context.is_interrupted());
  EXPECT_FALSE(context.is_past_deadline());
}

TEST(RunContext, TellsItsListenerWhatHappened) {
  std::vector<Event> heard;
  const RunContext context{.listener = [&](const Event& event) { heard.push_back(event); }};
  context.tell(IterationDone{.iteration = 4, .objective = 1.5});
  context.tell(StartDone{.done = 1, .of = 3, .converged = true});
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(std::get<IterationDone>(heard[0]).iteration, 4);
  EXPECT_EQ(std::get<StartDone>(heard[1]).of, 3);
}

}  // namespace
}  // namespace salvo
