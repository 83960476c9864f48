#include "design/criterion.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numeric>

#include "base/random.hpp"

namespace salvo::design {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::DesignCriterion;

MatrixXd random_matrix(int rows, int cols, Random& random) {
  MatrixXd out(rows, cols);
  for (double& each : out.reshaped()) each = random.normal();
  return out;
}

// Two points, five candidates of two rows each, three quantities of which the first two are of interest.
Problem some_problem(DesignCriterion criterion, int interest) {
  Random random(7);
  Problem problem{.criterion = criterion};
  for (int p = 0; p < 2; ++p) {
    Problem::Point point;
    point.K = criterion == DesignCriterion::c ? random_matrix(3, 1, random)
                                              : MatrixXd(MatrixXd::Identity(3, 3).leftCols(interest));
    point.known = 0.1 * MatrixXd::Identity(3, 3);
    for (int i = 0; i < 5; ++i) point.rows.push_back(random_matrix(2, 3, random));
    problem.points.push_back(std::move(point));
  }
  return problem;
}

double smooth_loss(const Problem& problem, const std::vector<double>& w) {
  return loss(problem, information(problem, w), true);
}

class Criterion : public ::testing::TestWithParam<std::pair<DesignCriterion, int>> {};

TEST_P(Criterion, HasTheDerivativesOfItsDifferences) {
  const Problem problem = some_problem(GetParam().first, GetParam().second);
  const std::vector<double> w{0.4, 1.1, 0.3, 0.8, 0.6};
  std::vector<int> all(5);
  std::iota(all.begin(), all.end(), 0);
  const Derivatives at = derivatives(problem, information(problem, w), all, true);
  EXPECT_DOUBLE_EQ(at.loss, smooth_loss(problem, w));
  constexpr double h = 1e-5;
  for (int i = 0; i < 5; ++i) {
    auto [up, down] = std::pair(w, w);
    up[i] += h, down[i] -= h;
    const double slope = (smooth_loss(problem, up) - smooth_loss(problem, down)) / (2 * h);
    EXPECT_NEAR(-at.sensitivity[i], slope, 1e-7 * (1 + std::abs(slope)));
    const VectorXd difference = (derivatives(problem, information(problem, up), all, false).sensitivity -
                                 derivatives(problem, information(problem, down), all, false).sensitivity) /
                                (2 * h);
    for (int j = 0; j < 5; ++j)
      EXPECT_NEAR(at.second(i, j), -difference[j], 1e-6 * (1 + at.second.cwiseAbs().maxCoeff()));
  }
}

// The bound is proved at one design; no other may fall below it.
TEST_P(Criterion, IsNowhereBelowItsBound) {
  const Problem problem = some_problem(GetParam().first, GetParam().second);
  Random random(3);
  const auto some_weights = [&] {
    std::vector<double> w(5);
    double sum = 0;
    for (double& each : w) sum += each = -std::log(random.uniform());
    for (double& each : w) each *= 4 / sum;
    return w;
  };
  for (int n = 0; n < 20; ++n) {
    const Support at = support(problem, information(problem, some_weights()));
    const double bound = least_loss(problem, at, 4 * at.sensitivity.maxCoeff());
    for (int k = 0; k < 20; ++k) {
      const double other = loss(problem, information(problem, some_weights()));
      EXPECT_GE(other, bound - 1e-12 * std::abs(bound));
      EXPECT_LE(efficiency(problem, other, bound), 1 + 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Criterion,
                         ::testing::Values(std::pair(DesignCriterion::D, 3), std::pair(DesignCriterion::D, 2),
                                           std::pair(DesignCriterion::A, 3), std::pair(DesignCriterion::A, 2),
                                           std::pair(DesignCriterion::E, 3), std::pair(DesignCriterion::c, 1)));

TEST(Criteria, AreThoseOfTheirDefinitions) {
  Problem problem = some_problem(DesignCriterion::D, 2);
  problem.points.resize(1);
  const MatrixXd F = information(problem.points[0], std::vector<double>{1, 2, 0, 1, 3});
  const MatrixXd schur = F.topLeftCorner(2, 2) - F.topRightCorner(2, 1) * F.bottomLeftCorner(1, 2) / F(2, 2);
  EXPECT_NEAR(loss(problem, {F}), -std::log(schur.determinant()), 1e-10);
  problem.criterion = DesignCriterion::A;
  EXPECT_NEAR(loss(problem, {F}), F.inverse().topLeftCorner(2, 2).trace(), 1e-10);
}

}  // namespace
}  // namespace salvo::design
