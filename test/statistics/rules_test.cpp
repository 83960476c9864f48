#include "statistics/rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/fields.hpp"
#include "statistics/uncertainty.hpp"

namespace salvo::statistics {
namespace {

TEST(StatisticsRules, AreAllReachedByAWalk) {
  test::Walked walked;
  test::walk(Rules{}, walked);
  EXPECT_TRUE(walked.is_complete);
  EXPECT_EQ(std::count(walked.names.begin(), walked.names.end(), "stops"), 3);
  EXPECT_EQ(std::count(walked.names.begin(), walked.names.end(), "unseen"), 1);
}

}  // namespace
}  // namespace salvo::statistics
