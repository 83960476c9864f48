#include "statistics/residual_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/distributions.hpp"

namespace salvo::statistics {
namespace {

TEST(ResidualLaw, IsChiSquaredWithoutPriors) {
  const ResidualLaw law = residual_law(22, 6, {});
  EXPECT_EQ(law.degrees(), 16);
  EXPECT_NEAR(survival(law, 27.8), chi_squared_survival(27.8, 16), 1e-14);
}

// One datum with sigma s and a prior with sigma S: the residual has shrunk by s^2 / (s^2 + S^2), and no more.
TEST(ResidualLaw, OfOneShrunkenResidualIsItsOwn) {
  const double left = 0.0009 / 1.0009;
  const ResidualLaw law = residual_law(1, 1, {left});
  EXPECT_NEAR(law.degrees(), left, 1e-15);
  const double squares = std::pow(1 / 1.0009 * 0.03, 2);  // 1 away from the mean of the prior
  EXPECT_NEAR(survival(law, squares), 2 * normal_cdf(-1 / std::sqrt(1.0009)), 1e-12);
}

// Two pairs of weights: Q is a sum of two exponential numbers, with means 2 a and 2 b.
TEST(ResidualLaw, OfTwoPairsIsCloseToThatOfTwoExponentialNumbers) {
  for (const double b : {0.9, 0.5, 0.2, 0.02})
    for (const double squares : {1.0, 3.0, 6.0, 10.0, 15.0}) {
      const double exact = (std::exp(-squares / 2) - b * std::exp(-squares / (2 * b))) / (1 - b);
      EXPECT_NEAR(survival(residual_law(4, 2, {b, b}), squares), exact, 0.004 + 0.02 * exact) << b << " " << squares;
    }
}

// Quantities that only their priors know have no residual.
TEST(ResidualLaw, LeavesOutWhatNoDatumTells) {
  const ResidualLaw law = residual_law(2, 5, {1, 1, 1, 0.3, 1e-17});
  EXPECT_EQ(law.ones, 0);
  ASSERT_EQ(law.weights.size(), 1U);
  EXPECT_EQ(law.weights[0], 0.3);
  EXPECT_TRUE(std::isnan(survival(residual_law(2, 2, {}), 1)));
}

}  // namespace
}  // namespace salvo::statistics
