#include "solve/quadratic/secant_term.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "helpers/blocks.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> to_vector(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }

TEST(SecantTerm, KnowsTheLastChangeOfTheGradientThatTheInformationDoesNot) {
  Random random(11);
  const int n = 4;
  SecantTerm term;
  for (int k = 0; k < 8; ++k) {
    const Matrix R = test::random_matrix(random, n, n);
    const std::vector<double> s = test::random_vector(random, n);
    const std::vector<double> before = test::random_vector(random, n);
    const std::vector<double> after = test::random_vector(random, n);
    term.update(s, before, after, R);
    const VectorXd target = map(after) - map(before) - map(R).transpose() * (map(R) * map(s));
    EXPECT_LE((map(term.S()) * map(s) - target).norm(), 1e-10 * (1 + map(term.S()).norm())) << k;
    EXPECT_LE((map(term.S()) - map(term.S()).transpose()).norm(), 1e-12 * (1 + map(term.S()).norm())) << k;
  }
}

// Of a quadratic with Hessian R'R + T, the changes along many directions tell T.
TEST(SecantTerm, LearnsWhatIsMissingOfAQuadratic) {
  Random random(12);
  const int n = 3;
  const Matrix R = test::random_matrix(random, n, n);
  MatrixXd T(n, n);
  T << 2, 0.3, -0.1, 0.3, 1, 0.2, -0.1, 0.2, 1.5;
  const MatrixXd H = map(R).transpose() * map(R) + T;
  SecantTerm term;
  for (int k = 0; k < 60; ++k) {
    const std::vector<double> s = test::random_vector(random, n);
    term.update(s, std::vector<double>(n, 0.0), to_vector(H * map(s)), R);
  }
  EXPECT_LE((map(term.S()) - T).norm(), 1e-3 * T.norm());
}

// Along a step that S believes to be more curved than it is, all of S shrinks in proportion: with s the first axis, a
// change of the gradient along it and no information, S = diag(4, 8) becomes diag(1, 2).
TEST(SecantTerm, IsSizedBeforeItIsUpdated) {
  Matrix S(2, 2);
  S(0, 0) = 4;
  S(1, 1) = 8;
  SecantTerm term;
  term.renew(S);
  term.update({1, 0}, {0, 0}, {1, 0}, Matrix(2, 2));
  EXPECT_NEAR(term.S()(0, 0), 1, 1e-15);
  EXPECT_NEAR(term.S()(1, 1), 2, 1e-15);
  EXPECT_NEAR(term.S()(0, 1), 0, 1e-15);
  term.update({1, 0}, {0, 0}, {3, 0}, Matrix(2, 2));  // but it never grows as a whole
  EXPECT_NEAR(term.S()(0, 0), 3, 1e-15);
  EXPECT_NEAR(term.S()(1, 1), 2, 1e-15);
}

TEST(SecantTerm, LearnsNothingFromAChangeAcrossTheStep) {
  SecantTerm term;
  term.update({1, 0}, {0, 0}, {0, 1}, Matrix(2, 2));
  EXPECT_FALSE(term.is_known());
  term.update({0, 0}, {0, 0}, {0, 0}, Matrix(2, 2));
  EXPECT_FALSE(term.is_known());
}

// s, g and R in other units: s / d, g d, R d. An update in the new ones of what was learnt in the old ones is the
// update in the old ones, rescaled.
TEST(SecantTerm, IsTheSameInOtherUnits) {
  Random random(13);
  const int n = 3;
  const std::vector<double> by{10, 0.5, 3};
  SecantTerm old_units, new_units;
  for (int k = 0; k < 4; ++k) {
    Matrix R = test::random_matrix(random, n, n);
    std::vector<double> s = test::random_vector(random, n);
    std::vector<double> before = test::random_vector(random, n);
    std::vector<double> after = test::random_vector(random, n);
    old_units.update(s, before, after, R);
    if (k < 2) {
      new_units.update(s, before, after, R);
      if (k == 1) new_units.rescale(by);
      continue;
    }
    for (int i = 0; i < n; ++i) {
      s[i] /= by[i];
      before[i] *= by[i];
      after[i] *= by[i];
      for (int row = 0; row < n; ++row) R(row, i) *= by[i];
    }
    new_units.update(s, before, after, R);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT_NEAR(new_units.S()(i, j), by[i] * by[j] * old_units.S()(i, j), 1e-9 * map(new_units.S()).norm());
}

TEST(SecantTerm, IsBelievedWhereItHasForeseenBetter) {
  SecantTerm term;
  EXPECT_FALSE(term.is_known());
  EXPECT_FALSE(term.is_better());
  term.compare(1, 2, 2);
  EXPECT_FALSE(term.is_better());  // nothing is known yet
  term.update({1, 0}, {0, 0}, {1, 0.5}, Matrix(2, 2));
  EXPECT_TRUE(term.is_known());
  term.compare(1, 2, 1.2);
  EXPECT_FALSE(term.is_better());
  term.compare(1, 2, 1.8);
  EXPECT_TRUE(term.is_better());
}

TEST(SecantTerm, OfAComputedHessianIsBelievedUntilItForeseesWorse) {
  Matrix S(1, 1);
  S(0, 0) = 7;
  SecantTerm term;
  term.renew(S);
  EXPECT_TRUE(term.is_better());
  EXPECT_EQ(term.S()(0, 0), 7);
  term.compare(1, 5, 2);
  EXPECT_FALSE(term.is_better());
}

}  // namespace
}  // namespace salvo::solve
