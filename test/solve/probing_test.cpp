#include "solve/certificate/probing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::solve {
namespace {

TEST(SignedSums, AreAllThatThereAreOfFewDirections) {
  EXPECT_TRUE(signed_sums({{1, 0}}, 3).empty());
  const double half = 1 / std::sqrt(2.0);
  const std::vector<std::vector<double>> expected{{half, half}, {half, -half}};
  EXPECT_EQ(signed_sums({{1, 0}, {0, 1}}, 3), expected);
  EXPECT_EQ(signed_sums({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3).size(), 4u);
}

TEST(SignedSums, OfManyDirectionsShareSigns) {
  std::vector<std::vector<double>> directions(9, std::vector<double>(9, 0.0));
  for (int k = 0; k < 9; ++k) directions[k][k] = 1;
  const auto sums = signed_sums(directions, 3);
  EXPECT_EQ(sums.size(), 8u);
  for (const auto& sum : sums)
    for (const double entry : sum) EXPECT_DOUBLE_EQ(std::abs(entry), 1.0 / 3);
}

}  // namespace
}  // namespace salvo::solve
