#include "dense/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace salvo::dense {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

TEST(SymmetricModes, OfAChainOfSpringsAreSines) {
  constexpr Index n = 40;  // the second difference of n masses between two walls
  MatrixXd A = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) A(i, i) = 2;
  for (Index i = 0; i + 1 < n; ++i) A(i + 1, i) = -1;  // the upper triangle is not read
  const auto [e, V] = symmetric_modes(A);
  for (Index k = 0; k < n; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k + 1) / (n + 1);
    EXPECT_NEAR(e[k], 2 - 2 * std::cos(angle), 1e-13);
    const double sign = V(0, k) > 0 ? 1 : -1;
    for (Index i = 0; i < n; ++i)
      EXPECT_NEAR(sign * V(i, k), std::sqrt(2.0 / (n + 1)) * std::sin(angle * static_cast<double>(i + 1)), 1e-12);
  }
}

TEST(Eigenvalues, OfADampedOscillatorAreAPair) {
  MatrixXd A(2, 2);
  A << 0, 1, -1, -0.2;
  const auto modes = eigenvalues(A);
  ASSERT_TRUE(modes.has_value());
  EXPECT_NEAR((*modes)[0].real(), -0.1, 1e-15);
  EXPECT_NEAR(std::abs((*modes)[0].imag()), std::sqrt(0.99), 1e-15);
  EXPECT_EQ((*modes)[1], std::conj((*modes)[0]));
}

TEST(Eigenvalues, OfWhatIsNotFiniteAreNone) {
  const MatrixXd A = MatrixXd::Constant(3, 3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(eigenvalues(A).has_value());
}

}  // namespace
}  // namespace salvo::dense
