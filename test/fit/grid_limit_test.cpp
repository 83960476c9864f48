#include "fit/grid_limit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace salvo::fit {
namespace {

// What three grids say of a number that differs from 5 by 3/n^order.
std::array<double, 3> numbers(const Grids& grids, double order) {
  std::array<double, 3> out{};
  for (int i = 0; i < 3; ++i) out[i] = 5 + 3 * std::pow(grids.cells[i], -order);
  return out;
}
double error_of(const Grids& grids, double order) { return 3 * std::pow(grids.cells[grids.told], -order); }

TEST(GridLimit, IsThatOfTheOrderOfTheScheme) {
  for (const int cells : {6, 31, 33, 64, 100, 1001}) {
    for (const double order : {1.0, 2.0, 4.0}) {
      const Grids grids = grids_for(cells);
      EXPECT_EQ(grids.cells[grids.told], cells);
      const GridLimit limit = grid_limit(grids, numbers(grids, order), order);
      EXPECT_TRUE(limit.has_order) << cells << " " << order;
      EXPECT_NEAR(limit.error / error_of(grids, order), 1, cells % 4 == 0 || cells < 32 ? 1e-7 : 0.1) << cells;
    }
  }
}

// A scheme of second order that falls back to the first is taken at its numbers, and not at its word.
TEST(GridLimit, IsThatOfTheMeasuredOrderWhereItIsLower) {
  for (const int cells : {8, 64}) {
    const Grids grids = grids_for(cells);
    const GridLimit limit = grid_limit(grids, numbers(grids, 1), 2);
    EXPECT_FALSE(limit.has_order);
    EXPECT_NEAR(limit.error, error_of(grids, 1), 1e-9);
    EXPECT_NEAR(measured_order(grids, 4, 2, 2), 1, 1e-12);
  }
}

// Two grids that agree by chance do not say that the error is small.
TEST(GridLimit, OfWhatComesAndGoesIsNoSmallerThanWhatTheGridsShow) {
  const Grids grids = grids_for(64);
  const GridLimit crossing = grid_limit(grids, {5, 6.2, 6.1999999}, 2);
  EXPECT_FALSE(crossing.has_order);
  EXPECT_GE(std::abs(crossing.error), 1.2 / 12);
  EXPECT_GE(std::abs(grid_limit(grids, {5, 6.2, 5.1}, 2).error), 1.1);
}

TEST(GridLimit, OfTwoGridsIsTheirDifference) {
  const GridLimit limit = grid_limit(grids_for(64), {std::numeric_limits<double>::quiet_NaN(), 5.3, 5}, 2);
  EXPECT_FALSE(limit.has_order);
  EXPECT_NEAR(limit.error, 0.3, 1e-12);
}

TEST(GridLimit, IsNothingWhereTheGridDoesNothing) {
  const GridLimit limit = grid_limit(grids_for(64), {2, 2, 2}, 2);
  EXPECT_EQ(limit.error, 0);
  EXPECT_TRUE(limit.has_order);
}

}  // namespace
}  // namespace salvo::fit
