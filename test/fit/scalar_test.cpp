#include "fits.hpp"

// The paper's method as it really behaves: it converges, but linearly, and its multipliers have no limit.
namespace salvo::fit {
namespace {

using model::Method;
using test::distance;
using test::fit_of;

FitResult scalar_fit(const model::Problem& problem, int max_iterations) {
  return fit_of(problem,
                {.method = Method::scalar, .nodes = model::NodesAtMeasurements{}, .max_iterations = max_iterations});
}

TEST(ScalarMethod, ClosesTheGapsLinearly) {
  const FitResult result = scalar_fit(test::predator_prey(), 150);
  ASSERT_GT(result.trace.size(), 70u) << result.message;
  EXPECT_GT(result.trace[8].gap, 1e-3);
  const double rate = std::pow(result.trace[70].gap / result.trace[20].gap, 1.0 / 50);
  EXPECT_GE(rate, 0.80);
  EXPECT_LE(rate, 0.98);
  double early = 0;
  double largest = 0;
  for (const TracePoint& point : result.trace) {
    if (point.iteration == 1) early = point.multiplier;
    largest = std::max(largest, point.multiplier);
  }
  EXPECT_GT(largest, 300 * early);
}

TEST(ScalarMethod, FindsTheMaximumLikelihoodEstimateInTheEnd) {
  const FitResult result = scalar_fit(test::predator_prey(), 150);
  bool came_near = false;
  for (const TracePoint& point : result.trace) {
    if (point.gap > 1e-4) continue;
    came_near = true;
    EXPECT_LE(distance(point.p, test::predator_prey_p), 1e-3) << "iteration " << point.iteration;
  }
  EXPECT_TRUE(came_near);
  EXPECT_LE(distance(result.trace.back().p, test::predator_prey_p), 1e-4);
  EXPECT_EQ(result.derivatives, model::Derivatives::adjoint);
  EXPECT_EQ(result.method, model::Method::scalar);
}

TEST(ScalarMethod, FindsItFromHalfTheDataMoreSlowly) {
  const FitResult result = scalar_fit(test::predator_prey_partial(), 400);
  EXPECT_LE(distance(result.trace.back().p, test::predator_prey_partial_p), 1e-3) << result.message;
}

TEST(ScalarMethod, OneFactorOnAllSigmasChangesNoIteration) {
  model::Problem problem = test::predator_prey();
  const FitResult plain = scalar_fit(problem, 12);
  for (model::Measurement& measurement : problem.measurements) measurement.sigma = 0.5;
  const FitResult scaled = scalar_fit(problem, 12);
  ASSERT_EQ(plain.trace.size(), scaled.trace.size());
  EXPECT_LE(distance(plain.trace.back().p, scaled.trace.back().p), 1e-6);
}

}  // namespace
}  // namespace salvo::fit
