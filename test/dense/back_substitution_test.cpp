#include "dense/back_substitution.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

namespace salvo::dense {
namespace {

Matrix upper(int n) {
  Matrix R(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) R(i, j) = i == j ? 2 + std::sin(i) : std::cos(3.0 * i + j);
  return R;
}

// What `multiply` makes of known numbers, `solve` takes back.
template <class Multiply, class Solve>
void expect_taken_back(const Multiply& multiply, const Solve& solve) {
  for (const int n : {0, 1, 2, 5, 20}) {
    const Matrix R = upper(n);
    std::vector<double> known(n);
    for (int i = 0; i < n; ++i) known[i] = 1 + i;
    std::vector<double> x(n, 0.0);
    multiply(block_of(R), known, x);
    solve(block_of(R), x);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[i], known[i], 1e-9 * n) << n;
  }
}

TEST(BackSubstitution, SolvesUpperTriangles) {
  expect_taken_back([](const auto& R, const auto& known, auto& x) { add_product(R, known, x); },
                    [](const auto& R, auto& x) { solve_upper(R, x); });
}

TEST(BackSubstitution, SolvesTransposedTriangles) {
  expect_taken_back([](const auto& R, const auto& known, auto& x) { add_transposed_product(R, known, x); },
                    [](const auto& R, auto& x) { solve_upper_transposed(R, x); });
}

// Frobenius' norms would say hundreds of times more.
TEST(BackSubstitution, BoundsTheConditionOfLargeMatricesThatDecayClosely) {
  constexpr int n = 300;
  Matrix R(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) R(i, j) = std::pow(0.3, j - i);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Eigen::Map<const Eigen::MatrixXd>(R.data.data(), n, n));
  const double condition = svd.singularValues()[0] / svd.singularValues()[n - 1];
  std::vector<double> room(3 * n);
  const double bound = condition_bound(block_of(R), room);
  EXPECT_GE(bound, condition * (1 - 1e-12));
  EXPECT_LE(bound, 2 * condition);
}

TEST(BackSubstitution, BoundsTheConditionFromAbove) {
  for (const int n : {1, 2, 7, 30}) {
    const Matrix R = upper(n);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Eigen::Map<const Eigen::MatrixXd>(R.data.data(), n, n));
    const double condition = svd.singularValues()[0] / svd.singularValues()[n - 1];
    std::vector<double> room(3 * n);
    const double bound = condition_bound(block_of(R), room);
    EXPECT_GE(bound, condition * (1 - 1e-12));
    EXPECT_LE(bound, n * condition * (1 + 1e-12));
  }
}

TEST(BackSubstitution, CallsASingularTriangleInfinitelyIllConditioned) {
  Matrix R = upper(3);
  R(1, 1) = 0;
  std::vector<double> room(9);
  EXPECT_EQ(condition_bound(block_of(R), room), HUGE_VAL);
}

}  // namespace
}  // namespace salvo::dense
