#include "solve/step/noise_step.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "regression.hpp"

namespace salvo::solve {
namespace {

const double settled = 1e-3;

constexpr double sqrt2 = std::numbers::sqrt2;
const std::vector<double> data{1.2, 0.7, 1.9, 1.1, 0.4};

double rms(double mean) {
  double sum = 0;
  for (const double y : data) sum += (mean - y) * (mean - y);
  return std::sqrt(sum / static_cast<double>(data.size()));
}

// Data around q_0 with sigma = exp(a q_1), as normal rows: u and (1 - u^2) / sqrt 2.
test::Regression constant_with_noise(double a) {
  test::Regression problem(2, [a](const nlp::Point& q) {
    const double sigma = std::exp(a * q[1]);
    test::Residuals out{.objective = 0.0};
    for (const double y : data) {
      const double u = (q[0] - y) / sigma;
      out.r.insert(out.r.end(), {u, (1 - u * u) / sqrt2});
      out.J.push_back({1 / sigma, 0});
      out.J.push_back({0, a * sqrt2});
      *out.objective += 0.5 * u * u + std::log(sigma);
    }
    return out;
  });
  problem.shaping_noise_only({false, true});
  return problem;
}

TEST(NoiseStep, FindsTheRootMeanSquareFromFarAway) {
  for (const double a : {1.0, std::log(10.0), 0.3})
    for (const double factor : {1e-4, 0.5, 1.0, 1e4}) {
      const double mean = 0.8;
      nlp::Point q{mean, std::log(factor * rms(mean)) / a};
      adapt_noise(constant_with_noise(a), {}, settled, q);
      EXPECT_NEAR(std::exp(a * q[1]) / rms(mean), 1, 1e-6) << a << " " << factor;
      EXPECT_EQ(q[0], mean);
    }
}

TEST(NoiseStep, MovesNothingWhereNoThetaShapesTheNoiseAlone) {
  nlp::Point q{0.8, 5};
  test::Regression problem = constant_with_noise(1);
  problem.shaping_noise_only({false, false});
  adapt_noise(problem, {}, settled, q);
  EXPECT_EQ(q, (nlp::Point{0.8, 5}));
  problem.shaping_noise_only({});
  adapt_noise(problem, {}, settled, q);
  EXPECT_EQ(q, (nlp::Point{0.8, 5}));
}

TEST(NoiseStep, StopsAtItsBounds) {
  for (const double limit : {-3.0, 2.0}) {
    nlp::Point q{0.8, limit + 0.5};
    test::Regression problem = constant_with_noise(1);
    problem.bound(1, limit < 0 ? -9 : limit, limit < 0 ? limit : 9);
    adapt_noise(problem, {}, settled, q);
    EXPECT_EQ(q[1], limit);
  }
}

// Two laws, each with its own sigma, the second that of twice as many data.
TEST(NoiseStep, FindsEachSigmaFromItsOwnRows) {
  test::Regression problem(2, [](const nlp::Point& q) {
    test::Residuals out;
    for (int i = 0; i < 6; ++i) {
      const int k = i % 3 == 0 ? 0 : 1;
      const double u = (1 + i) / std::exp(q[k]);
      out.r.push_back((1 - u * u) / sqrt2);
      out.J.push_back({k == 0 ? sqrt2 : 0, k == 1 ? sqrt2 : 0});
    }
    return out;
  });
  problem.shaping_noise_only({true, true});
  nlp::Point q{-5, 5};
  adapt_noise(problem, {}, settled, q);
  EXPECT_NEAR(std::exp(2 * q[0]), (1 + 16) / 2.0, 1e-6);
  EXPECT_NEAR(std::exp(2 * q[1]), (4 + 9 + 25 + 36) / 4.0, 1e-6);
}

TEST(NoiseStep, StaysWhereThePointCannotBeEvaluated) {
  nlp::Point q{0.8, 5};
  test::Regression problem = constant_with_noise(1);
  problem.failing([](const nlp::Point&) { return true; });
  adapt_noise(problem, {}, settled, q);
  EXPECT_EQ(q, (nlp::Point{0.8, 5}));
}

// sigma = q_1 itself, which is much too large: the step of its logarithm is one below zero.
TEST(NoiseStep, LeavesASigmaOnALinearScaleWhereItCanBeEvaluated) {
  test::Regression problem(1, [](const nlp::Point& q) {
    test::Residuals out;
    for (const double y : data) {
      const double u = y / q[0];
      out.r.push_back((1 - u * u) / sqrt2);
      out.J.push_back({sqrt2 / q[0]});
    }
    return out;
  });
  problem.failing([](const nlp::Point& q) { return q[0] <= 0; }).shaping_noise_only({true});
  for (const double factor : {1e-4, 1e4}) {
    nlp::Point q{factor * rms(0)};
    adapt_noise(problem, {}, settled, q);
    EXPECT_GT(q[0], 0) << factor;
  }
}

// Residuals of zero ask for no sigma at all: it becomes small, but stays a number.
TEST(NoiseStep, StaysFiniteWhereThePredictionIsExact) {
  test::Regression problem(1, [](const nlp::Point&) {
    return test::Residuals{.r = {1 / sqrt2, 1 / sqrt2}, .J = {{sqrt2}, {sqrt2}}};
  });
  problem.shaping_noise_only({true});
  nlp::Point q{0};
  adapt_noise(problem, {}, settled, q);
  EXPECT_TRUE(std::isfinite(q[0]));
  EXPECT_LT(q[0], -10);
}

}  // namespace
}  // namespace salvo::solve
