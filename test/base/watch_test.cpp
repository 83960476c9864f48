#include "base/watch.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace salvo {
namespace {

using namespace std::chrono_literals;

// However long the machine takes to get there.
bool becomes_raised(const RunContext& context) {
  for (int n = 0; n < 6000 && !is_raised(context.stop); ++n) std::this_thread::sleep_for(10ms);
  return is_raised(context.stop);
}

TEST(Watch, RaisesItsFlagWhenTheRunShouldStop) {
  std::atomic<bool> wished = false;
  RunContext context{.interrupted = [&wished] { return wished.load(); }};
  const Watch watch(context);
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(is_raised(context.stop));
  wished = true;
  EXPECT_TRUE(becomes_raised(context));
}

TEST(Watch, RaisesItAtOnceIfTheTimeIsOverAlready) {
  RunContext context{.deadline = Watch::Clock::now() - 1s};
  const Watch watch(context);
  EXPECT_TRUE(is_raised(context.stop));
}

TEST(Watch, LetsARunThatHadToStopDescribeWhatItReached) {
  RunContext context{.interrupted = [] { return true; }};
  Watch watch(context);
  ASSERT_TRUE(becomes_raised(context));
  watch.grant(1h);
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(is_raised(context.stop));
  watch.grant(0s);
  EXPECT_TRUE(is_raised(context.stop)) << "at once, before anybody looks again";
}

TEST(Watch, NeverRaisesItIfNobodyCanWishTo) {
  RunContext context;
  const Watch watch(context);
  EXPECT_FALSE(is_raised(context.stop));
}

TEST(RunContext, StopsAfterSecondsHoweverMany) {
  RunContext context;
  context.stop_after(1e300);
  EXPECT_FALSE(context.should_stop());
  context.stop_after(0);
  EXPECT_TRUE(context.should_stop());
}

}  // namespace
}  // namespace salvo
