#include "runs/dealer.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace salvo::runs {
namespace {

std::vector<int> first(int count) {
  std::vector<int> tasks(static_cast<std::size_t>(count));
  std::iota(tasks.begin(), tasks.end(), 0);
  return tasks;
}

TEST(Dealer, GivesEveryTaskOnceAndLessAndLess) {
  Dealer dealer(3);
  dealer.open(first(1000));
  std::set<int> seen;
  std::size_t before = 1000;
  for (int member = 0; !dealer.is_over(); member = (member + 1) % 3) {
    const Dealer::Deal deal = dealer.deal(member, 1, 50);
    ASSERT_FALSE(deal.tasks.empty());
    EXPECT_LE(deal.tasks.size(), std::min<std::size_t>(before, 50));
    before = deal.tasks.size();
    for (const int task : deal.tasks) {
      EXPECT_TRUE(seen.insert(task).second);
      dealer.finished(member, task);
    }
  }
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_EQ(before, 1U);
}

TEST(Dealer, WaitsForWhatOthersAreAt) {
  Dealer dealer(2);
  dealer.open({7});
  EXPECT_EQ(dealer.deal(1, 1, 50).tasks, std::vector{7});
  const Dealer::Deal later = dealer.deal(0, 1, 50);
  EXPECT_TRUE(later.tasks.empty() && !later.is_over);
  dealer.finished(0, 7);  // it was not his
  EXPECT_FALSE(dealer.is_over());
  dealer.finished(1, 7);
  EXPECT_TRUE(dealer.deal(0, 1, 50).is_over);
}

TEST(Dealer, GivesAgainWhatSomebodyHasLeft) {
  Dealer dealer(2);
  dealer.open({1, 2});
  EXPECT_EQ(dealer.deal(1, 1, 50).tasks, std::vector{1});
  dealer.leave(1);
  EXPECT_EQ(dealer.deal(0, 1, 1).tasks, std::vector{2});
  EXPECT_EQ(dealer.deal(0, 1, 1).tasks, std::vector{1});
}

TEST(Dealer, KnowsWhichListIsMeant) {
  Dealer dealer(2);
  dealer.open({1});
  EXPECT_TRUE(dealer.deal(0, 2, 50).tasks.empty());
  EXPECT_FALSE(dealer.deal(0, 2, 50).is_over) << "it is not opened yet";
  dealer.open({5});
  EXPECT_TRUE(dealer.deal(0, 1, 50).is_over);
  EXPECT_EQ(dealer.deal(0, 2, 50).tasks, std::vector{5});
}

TEST(Dealer, ThatIsClosedLetsEverybodyGo) {
  Dealer dealer(2);
  dealer.open(first(10));
  dealer.close();
  EXPECT_TRUE(dealer.deal(1, 1, 50).is_over);
}

}  // namespace
}  // namespace salvo::runs
