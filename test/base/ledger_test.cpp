#include "base/ledger.hpp"

#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "base/run_context.hpp"

namespace salvo {
namespace {

TEST(Ledger, AddsWhatIsCharged) {
  Ledger ledger(1000);
  ledger.charge(100);
  ledger.charge(150);
  EXPECT_EQ(ledger.spent(), 250);
  EXPECT_DOUBLE_EQ(ledger.left(), 0.75);
}

TEST(Ledger, HasNoLimitUnlessOneIsStated) {
  Ledger ledger;
  ledger.charge(1'000'000'000'000);
  EXPECT_EQ(ledger.left(), 1);
  EXPECT_FALSE((Share{&ledger}).is_spent());
  EXPECT_FALSE(Share{}.is_spent());
}

TEST(Ledger, AShareEndsWhenSoMuchHasBeenSpentByAnybody) {
  Ledger ledger(1000);
  RunContext context;
  EXPECT_FALSE(context.is_spent());
  context.share = {&ledger, 300};
  ledger.charge(299);
  EXPECT_FALSE(context.is_spent());
  ledger.charge(1);
  EXPECT_TRUE(context.is_spent());
}

TEST(Ledger, CountsTheSameForAnyNumberOfThreads) {
  Ledger ledger;
  parallel_for(1000, 4, [&](int n) { ledger.charge(n); });
  EXPECT_EQ(ledger.spent(), 499500);
}

}  // namespace
}  // namespace salvo
