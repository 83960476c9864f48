#include "statistics/distributions.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::statistics {
namespace {

TEST(ChiSquared, SurvivalHasClosedFormsForFewDegreesOfFreedom) {
  for (const double x : {0.01, 0.5, 1., 3.84, 10., 60.}) {
    EXPECT_NEAR(chi_squared_survival(x, 1), std::erfc(std::sqrt(x / 2)), 1e-14);
    EXPECT_NEAR(chi_squared_survival(x, 2), std::exp(-x / 2), 1e-14);
    EXPECT_NEAR(chi_squared_survival(x, 4), std::exp(-x / 2) * (1 + x / 2), 1e-14);
    EXPECT_NEAR(chi_squared_survival(x, 6), std::exp(-x / 2) * (1 + x / 2 + x * x / 8), 1e-14);
  }
  EXPECT_EQ(chi_squared_survival(0, 5), 1);
}

TEST(Normal, QuantileLeavesAFortiethAbove) {
  EXPECT_NEAR(0.5 * std::erfc(normal_quantile_975 / std::sqrt(2.0)), 0.025, 1e-15);
}

}  // namespace
}  // namespace salvo::statistics
