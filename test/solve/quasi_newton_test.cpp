#include "solve/quadratic/quasi_newton.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace salvo::solve {
namespace {

const double powell = 0.2;

using Eigen::VectorXd;

VectorXd random_vector(Random& random, int n) {
  VectorXd out(n);
  for (double& entry : out) entry = random.normal();
  return out;
}

// Both forms: dense for few unknowns, limited-memory for many.
class BfgsOf : public ::testing::TestWithParam<int> {};

TEST_P(BfgsOf, StartsFromTheIdentity) {
  Random random(1);
  Bfgs B(GetParam());
  const VectorXd v = random_vector(random, GetParam());
  EXPECT_EQ(B.solve(v), v);
  B.update(v, 2 * v, powell);
  EXPECT_NE(B.solve(v), v);
  B.reset();
  EXPECT_EQ(B.solve(v), v);
}

TEST_P(BfgsOf, KnowsTheLastChangeOfTheGradient) {
  Random random(2);
  const int n = GetParam();
  Bfgs B(n);
  VectorXd curvature(n);
  for (double& entry : curvature) entry = 0.7 + random.uniform();
  for (int k = 0; k < 12; ++k) {
    const VectorXd s = random_vector(random, n);
    const VectorXd y = curvature.cwiseProduct(s);
    B.update(s, y, powell);
    EXPECT_LE((B.solve(y) - s).norm(), 1e-10 * s.norm()) << k;
  }
}

TEST_P(BfgsOf, StaysPositiveDefiniteUnderNegativeCurvature) {
  Random random(3);
  const int n = GetParam();
  Bfgs B(n);
  for (int k = 0; k < 60; ++k) {
    B.update(random_vector(random, n), random_vector(random, n), powell);
    const VectorXd v = random_vector(random, n);
    const double product = v.dot(B.solve(v));
    EXPECT_TRUE(product > 0) << k << ": " << product;
  }
}

INSTANTIATE_TEST_SUITE_P(Form, BfgsOf, ::testing::Values(12, 450),
                         [](const auto& size) { return size.param < 400 ? "dense" : "limited_memory"; });

}  // namespace
}  // namespace salvo::solve
