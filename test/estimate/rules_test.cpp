#include "estimate/rules.hpp"

#include <gtest/gtest.h>

#include "helpers/fields.hpp"

namespace salvo::estimate {
namespace {

TEST(EstimateRules, AreOneTreeThatAWalkReachesAllOf) {
  test::Walked walked;
  test::walk(Rules{}, walked);
  EXPECT_TRUE(walked.is_complete);
  EXPECT_GT(walked.names.size(), 100U);
}

// Whoever adds a number looks for one that can go (docs/decisions/tuned-numbers.md).
TEST(EstimateRules, AreNoMoreThanCanBeKnown) {
  test::Walked walked;
  test::walk(Rules{}, walked);
  EXPECT_LE(walked.names.size(), 160U);
}

}  // namespace
}  // namespace salvo::estimate
