#include "solve/quadratic/hessian.hpp"

#include <gtest/gtest.h>

#include "regression.hpp"

namespace salvo::solve {
namespace {

const nlp::Point somewhere{1.5, -0.7};

// r = (x^2 - y, x y - 3), with H - J'J = r_1 [2 0; 0 0] + r_2 [0 1; 1 0].
test::Regression curved() {
  return {2, [](const nlp::Point& q) {
            return test::Residuals{.r = {q[0] * q[0] - q[1], q[0] * q[1] - 3}, .J = {{2 * q[0], -1}, {q[1], q[0]}}};
          }};
}
Matrix beyond(const nlp::Point& q) {
  const double r[] = {q[0] * q[0] - q[1], q[0] * q[1] - 3};
  Matrix S(2, 2);
  S(0, 0) = 2 * r[0];
  S(0, 1) = S(1, 0) = r[1];
  return S;
}

std::optional<Matrix> computed(const nlp::Problem& problem, const nlp::Point& q, const std::vector<double>& units,
                               const HessianRules& rules = {}) {
  nlp::Blocks blocks;
  EXPECT_TRUE(problem.linearize(q, blocks).ok);
  JoinedProblem model;
  take(problem.layout(), blocks, units, model);
  return beyond_information(problem, q, {}, units, model, rules);
}

void expect_beyond(const std::optional<Matrix>& S, const std::vector<double>& units, double tolerance) {
  ASSERT_TRUE(S.has_value());
  const Matrix exact = beyond(somewhere);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR((*S)(i, j), units[i] * units[j] * exact(i, j), tolerance * units[i] * units[j]) << i << " " << j;
}

TEST(Hessian, BeyondTheInformationIsThatOfTheResiduals) {
  expect_beyond(computed(curved(), somewhere, {1, 1}), {1, 1}, 2e-3);
}

TEST(Hessian, IsMeasuredInUnits) { expect_beyond(computed(curved(), somewhere, {0.1, 2}), {0.1, 2}, 2e-2); }

// Differences of first order: a tenth of the distance, a tenth of the error.
TEST(Hessian, IsTheMoreExactTheShorterTheDifference) {
  double error[2];
  for (int k = 0; k < 2; ++k)
    error[k] =
        (*computed(curved(), somewhere, {1, 1}, {.difference = k == 0 ? 1e-3 : 1e-4, .difference_of_rows = 1}))(0, 0) -
        beyond(somewhere)(0, 0);
  EXPECT_NEAR(error[0] / error[1], 10, 0.1);
}

// 1e6 times as much of the first residual: a difference of 1e-4 of x alone would change it by 300.
TEST(Hessian, ChangesResidualsByNoMoreThanAllowed) {
  const double here = somewhere[0] * somewhere[0] - somewhere[1];
  double most = 0;
  test::Regression problem(2, [&](const nlp::Point& q) {
    most = std::max(most, 1e6 * std::abs(q[0] * q[0] - q[1] - here));
    return test::Residuals{.r = {1e6 * (q[0] * q[0] - q[1])}, .J = {{2e6 * q[0], -1e6}}};
  });
  ASSERT_TRUE(computed(problem, somewhere, {1, 1}).has_value());
  EXPECT_LT(most, 1.2e-2);
}

// Two sums are known to 1e-4, the third direction, (2, -1, -5), hardly: what differences get wrong of the large second
// derivatives must not be taken for a small one.
TEST(Hessian, IsAsExactAlongWhatTheRowsHardlySee) {
  const double K = 1e4;
  const test::Regression problem(3, [K](const nlp::Point& q) {
    const double u = q[0] + 2 * q[1];
    const double v = 2 * q[0] - q[1] + q[2];
    const double w = 2 * q[0] - q[1] - 5 * q[2];
    const auto slope = [&](double sum, double of_sum, double of_w) { return K * (of_sum * (1 + w) + sum * of_w); };
    return test::Residuals{.r = {K * u * (1 + w) - 1, K * v * (1 + w) + 2, 1 + 0.05 * q[2] * q[2]},
                           .J = {{slope(u, 1, 2), slope(u, 2, -1), slope(u, 0, -5)},
                                 {slope(v, 2, 2), slope(v, -1, -1), slope(v, 1, -5)},
                                 {0, 0, 0.1 * q[2]}}};
  });
  const auto S = computed(problem, {0.1, -0.05, -0.25}, {1, 1, 1});  // u = 0, v = 0
  ASSERT_TRUE(S.has_value());
  const double along[] = {2, -1, -5};
  double curvature = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) curvature += along[i] * (*S)(i, j) * along[j];
  const double exact = (1 + 0.05 * 0.25 * 0.25) * 0.1 * 25;
  EXPECT_NEAR(curvature, exact, 0.05 * exact);
}

TEST(Hessian, AtAnUpperBoundLooksTheOtherWay) {
  test::Regression problem = curved();
  for (int k = 0; k < 2; ++k) problem.bound(k, -5, somewhere[k]);
  problem.failing([](const nlp::Point& q) { return q[0] > somewhere[0] || q[1] > somewhere[1]; });
  expect_beyond(computed(problem, somewhere, {1, 1}), {1, 1}, 2e-3);
}

TEST(Hessian, AtALowerBoundLooksInside) {
  test::Regression problem = curved();
  for (int k = 0; k < 2; ++k) problem.bound(k, somewhere[k], 5);
  problem.failing([](const nlp::Point& q) { return q[0] < somewhere[0] || q[1] < somewhere[1]; });
  expect_beyond(computed(problem, somewhere, {1, 1}), {1, 1}, 2e-3);
}

TEST(Hessian, IsNotThereWhereAPointCannotBeEvaluated) {
  test::Regression problem = curved();
  problem.failing([](const nlp::Point& q) { return q[1] != somewhere[1]; });
  EXPECT_FALSE(computed(problem, somewhere, {1, 1}).has_value());
}

}  // namespace
}  // namespace salvo::solve
