#include "base/pool.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace salvo {
namespace {

TEST(Pool, LendsWhatCameBackAsItCameBack) {
  Pool<std::vector<int>> pool;
  int made = 0;
  const auto make = [&made] { return std::vector<int>(3, ++made); };
  {
    const auto first = pool.borrow(make);
    const auto second = pool.borrow(make);
    EXPECT_EQ(*first, std::vector<int>({1, 1, 1}));
    EXPECT_EQ(*second, std::vector<int>({2, 2, 2}));
    (*first)[0] = 7;
    (*second)[0] = 7;
  }
  EXPECT_EQ((*pool.borrow(make))[0], 7);
  EXPECT_EQ((*pool.borrow())[0], 7);
  EXPECT_EQ(made, 2);
}

TEST(Pool, KeepsNoMoreThanAFewOfThoseThatAreLeft) {
  Pool<std::vector<int>> pool;
  EXPECT_TRUE(pool.give_away().empty());
  for (int k = 0; k < 100; ++k) pool.leave({k});
  int left = 0;
  while (!pool.give_away().empty()) ++left;
  EXPECT_EQ(left, 8);
}

}  // namespace
}  // namespace salvo
