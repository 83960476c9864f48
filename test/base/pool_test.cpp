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

}  // namespace
}  // namespace salvo
