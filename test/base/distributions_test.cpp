#include "base/distributions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace salvo {
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

// Student's t with 1 and 2 degrees of freedom has a closed form; with infinitely many it is normal.
TEST(Student, QuantilesHaveClosedFormsForFewDegreesOfFreedom) {
  EXPECT_NEAR(student_quantile(0.975, 1), std::tan(std::numbers::pi * 0.475), 1e-10);
  EXPECT_NEAR(student_quantile(0.975, 2), 0.95 / std::sqrt(2 * 0.975 * 0.025), 1e-12);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.776445105197793, 1e-12);
  EXPECT_NEAR(student_quantile(0.975, INFINITY), normal_quantile_975, 1e-14);
  for (const double nu : {1.0, 2.5, 30.0}) EXPECT_NEAR(student_cdf(student_quantile(0.8, nu), nu), 0.8, 1e-13);
}

TEST(ChiSquared, QuantileUndoesTheSurvival) {
  for (const double nu : {1.0, 3.5, 12.0})
    for (const double p : {0.025, 0.5, 0.975})
      EXPECT_NEAR(chi_squared_survival(chi_squared_quantile(p, nu), nu), 1 - p, 1e-13);
}

// Below -30 a series takes over.
TEST(Normal, LogarithmOfTheProbabilityIsSmoothFarBelow) {
  EXPECT_NEAR(log_normal_cdf(-30 - 1e-9) / log_normal_cdf(-30 + 1e-9), 1, 1e-9);
  EXPECT_NEAR(log_normal_cdf(-3), std::log(normal_cdf(-3)), 1e-14);
  EXPECT_NEAR(log_normal_cdf(3), std::log(normal_cdf(3)), 1e-14);
  EXPECT_TRUE(std::isfinite(log_normal_cdf(-1e8)));
}

TEST(Counts, ProbabilitiesAreSums) {
  double poisson = 0;
  double negative_binomial = 0;
  for (int y = 0; y <= 4; ++y) {
    poisson += std::exp(y * std::log(3.2) - 3.2 - std::lgamma(y + 1.0));
    negative_binomial += std::exp(std::lgamma(y + 1.7) - std::lgamma(1.7) - std::lgamma(y + 1.0) +
                                  1.7 * std::log(1.7 / 4.9) + y * std::log(3.2 / 4.9));
  }
  EXPECT_NEAR(poisson_cdf(4, 3.2), poisson, 1e-13);
  EXPECT_NEAR(negative_binomial_cdf(4, 3.2, 1.7), negative_binomial, 1e-13);
  EXPECT_EQ(poisson_cdf(-1, 3.2), 0);
  EXPECT_EQ(poisson_quantile(poisson - 1e-9, 3.2), 4);
  EXPECT_EQ(negative_binomial_quantile(negative_binomial - 1e-6, 3.2, 1.7), 4);
  EXPECT_EQ(negative_binomial_quantile(negative_binomial + 1e-6, 3.2, 1.7), 5);
}

TEST(Normal, QuantileLeavesAFortiethAbove) {
  EXPECT_NEAR(0.5 * std::erfc(normal_quantile_975 / std::sqrt(2.0)), 0.025, 1e-15);
}

}  // namespace
}  // namespace salvo
