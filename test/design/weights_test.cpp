#include "design/weights.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "design/exact.hpp"
#include "design/result.hpp"

namespace salvo::design {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::DesignCriterion;

const auto never = [] { return false; };

// Polynomials of degree two at x = -1 ... 1: their D-optimal weights are a third each at -1, 0 and 1.
Problem quadratic(int points, DesignCriterion criterion = DesignCriterion::D) {
  Problem problem{.criterion = criterion};
  Problem::Point& point = problem.points.emplace_back();
  point.K = MatrixXd::Identity(3, 3);
  point.known = MatrixXd::Zero(3, 3);
  for (int i = 0; i < points; ++i) {
    const double x = -1 + 2.0 * i / (points - 1);
    point.rows.push_back(Eigen::RowVector3d(1, x, x * x));
  }
  return problem;
}

Purse purse_of(const Problem& problem, double budget, double limit = std::numeric_limits<double>::infinity()) {
  const auto n = static_cast<std::size_t>(problem.candidates());
  return {.cost = std::vector<double>(n, 1), .limit = std::vector<double>(n, limit), .budget = budget};
}

TEST(Weights, OfAPolynomialAreEqualAtItsEndsAndItsMiddle) {
  for (const int points : {3, 21, 101, 2001}) {
    const Problem problem = quadratic(points);
    const Weights best = best_weights(problem, purse_of(problem, 6), never);
    for (int i = 0; i < points; ++i)
      EXPECT_NEAR(best.w[static_cast<std::size_t>(i)], i == 0 || 2 * i == points - 1 || i == points - 1 ? 2 : 0, 1e-5);
    EXPECT_NEAR(best.level, 0.5, 1e-7);  // three quantities, a budget of six
    EXPECT_LE(best.largest, best.level * (1 + 1e-6));
  }
}

// The multiplicative algorithm is another way to the same weights, and its sensitivities are written out here.
TEST(Weights, AreThoseOfTheMultiplicativeAlgorithm) {
  for (const DesignCriterion criterion : {DesignCriterion::D, DesignCriterion::A}) {
    Problem problem = quadratic(41, criterion);
    problem.points[0].known(1, 1) = 0.7;  // something is known already
    for (std::size_t i = 0; i < 41; ++i) problem.points[0].rows[i] *= 1 + 0.01 * static_cast<double>(i);
    const auto& rows = problem.points[0].rows;
    std::vector<double> w(41, 4.0 / 41);
    VectorXd d(41);
    for (int k = 0; k < 100'000; ++k) {
      const MatrixXd inverse = information(problem.points[0], w).inverse();
      const MatrixXd G = criterion == DesignCriterion::D ? inverse : MatrixXd(inverse * inverse);
      double sum = 0;
      for (int i = 0; i < 41; ++i) d[i] = (rows[i] * G * rows[i].transpose()).trace();
      for (int i = 0; i < 41; ++i) sum += w[i] *= std::sqrt(d[i]);
      for (double& each : w) each *= 4 / sum;
    }
    const Weights best = best_weights(problem, purse_of(problem, 4), never);
    EXPECT_LE(best.loss, loss(problem, information(problem, w)) + 1e-9);
    EXPECT_NEAR(best.loss, loss(problem, information(problem, w)), 1e-5);
    EXPECT_NEAR(best.largest, d.maxCoeff(), 2e-3 * d.maxCoeff());
    EXPECT_LE(best.largest, best.level * (1 + 1e-6));
    EXPECT_NEAR(best.least_loss, best.loss, 1e-6);
  }
}

TEST(Weights, AtTheirLimitHaveSensitivitiesAboveTheLevelAndOthersBelow) {
  const Problem problem = quadratic(21);
  const Purse purse = purse_of(problem, 6, 1);
  const Weights best = best_weights(problem, purse, never);
  double spent = 0;
  for (std::size_t i = 0; i < best.w.size(); ++i) {
    spent += best.w[i];
    EXPECT_LE(best.w[i], 1 + 1e-9);
    if (best.w[i] > 1 - 1e-6) {
      EXPECT_GE(best.sensitivity[i], best.level * (1 - 1e-5));
    } else {
      EXPECT_LE(best.sensitivity[i], best.level * (1 + 1e-5));
    }
  }
  EXPECT_NEAR(spent, 6, 1e-6);
  EXPECT_NEAR(best.least_loss, best.loss, 1e-5);
}

TEST(Weights, SpendWhatSamplesCost) {
  Problem problem = quadratic(21);
  Purse purse = purse_of(problem, 6);
  for (std::size_t i = 0; i < 10; ++i) purse.cost[i] = 3;  // the left side is dear
  const Weights best = best_weights(problem, purse, never);
  EXPECT_NEAR(best.w[0] * 3, 2, 1e-4);  // a third of the money goes to each, whatever it buys
  EXPECT_NEAR(best.w[20], 2, 1e-4);
  EXPECT_LE(best.largest, best.level * (1 + 1e-6));
}

TEST(Weights, AreTheLimitsWhereAllCanBePaidFor) {
  const Problem problem = quadratic(5);
  const Weights best = best_weights(problem, purse_of(problem, 20, 2), never);
  for (const double w : best.w) EXPECT_EQ(w, 2);
  EXPECT_NEAR(best.least_loss, best.loss, 1e-9);
}

// All ways to choose four of eleven, repeated ones too.
double best_of_all(const Problem& problem, int limit) {
  double best = 1e300;
  for (int a = 0; a < 11; ++a)
    for (int b = a; b < 11; ++b)
      for (int c = b; c < 11; ++c)
        for (int d = c; d < 11; ++d) {
          std::vector<double> count(11, 0.0);
          for (const int i : {a, b, c, d}) ++count[static_cast<std::size_t>(i)];
          if (*std::max_element(count.begin(), count.end()) > limit) continue;
          best = std::min(best, loss(problem, information(problem, count)));
        }
  return best;
}

TEST(ExactDesigns, AreTheBestOfAll) {
  for (const DesignCriterion criterion : {DesignCriterion::D, DesignCriterion::A, DesignCriterion::E})
    for (const int limit : {1, 4}) {
      const Problem problem = quadratic(11, criterion);
      const Purse purse = purse_of(problem, 4, limit);
      const Weights weights = best_weights(problem, purse, never);
      const Exact exact = best_exact(problem, purse, weights, never);
      EXPECT_NEAR(exact.loss, best_of_all(problem, limit), 1e-9 * std::abs(exact.loss));
      const double share = efficiency(problem, exact.loss, weights.least_loss);
      EXPECT_LE(share, 1 + 1e-9);
      EXPECT_GT(share, 0.8);
      EXPECT_EQ(std::accumulate(exact.count.begin(), exact.count.end(), 0), 4);
    }
}

TEST(ExactDesigns, KeepToTheirBudget) {
  const Problem problem = quadratic(11);
  Purse purse = purse_of(problem, 7);
  for (std::size_t i = 0; i < 11; ++i) purse.cost[i] = i == 5 ? 0.5 : 2;
  const Exact exact = best_exact(problem, purse, best_weights(problem, purse, never), never);
  double spent = 0;
  for (std::size_t i = 0; i < 11; ++i) spent += purse.cost[i] * exact.count[i];
  EXPECT_LE(spent, 7 + 1e-9);
  EXPECT_GT(spent, 6.4);  // nothing that helps is left to buy
}

TEST(DesignStatus, HasAWordForEach) {
  for (const Status status : {Status::found, Status::not_identifiable, Status::failed, Status::interrupted})
    EXPECT_FALSE(to_string(status).empty());
}

}  // namespace
}  // namespace salvo::design
