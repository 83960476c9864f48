#include "start/slopes_by_row.hpp"

#include <gtest/gtest.h>

namespace salvo::start {
namespace {

TEST(SlopesByRow, KeepTheOrderOfEachRow) {
  const std::vector<shooting::Slope> slopes{{2, 0, 1.5}, {0, 3, 2.5}, {2, 1, 3.5}, {0, 1, 4.5}};
  const SlopesByRow by_row(slopes, 3);
  ASSERT_EQ(by_row.of(0).size(), 2U);
  EXPECT_EQ(by_row.of(0)[0].column, 3);
  EXPECT_EQ(by_row.of(0)[1].column, 1);
  EXPECT_TRUE(by_row.of(1).empty());
  ASSERT_EQ(by_row.of(2).size(), 2U);
  EXPECT_EQ(by_row.of(2)[0].value, 1.5);
  EXPECT_EQ(by_row.of(2)[1].value, 3.5);
}

}  // namespace
}  // namespace salvo::start
