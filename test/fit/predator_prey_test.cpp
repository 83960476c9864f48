#include <atomic>

#include "fits.hpp"

namespace salvo::fit {
namespace {

using model::Method;
using test::distance;
using test::estimates;
using test::fit_of;

TEST(FitOfPredatorAndPrey, FindsTheMaximumLikelihoodEstimate) {
  const FitResult result = fit_of(test::predator_prey());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(distance(estimates(result), test::predator_prey_p), 1e-6);
  EXPECT_NEAR(result.initial[0].estimate, test::predator_prey_x0[0], 1e-6);
  EXPECT_NEAR(result.initial[1].estimate, test::predator_prey_x0[1], 1e-6);
  EXPECT_LE(result.gap, 1e-9);
  EXPECT_LE(result.iterations, 12);
  EXPECT_NEAR(result.chi2, 0.03243993174674 / (0.05 * 0.05), 1e-6);
  EXPECT_NEAR(result.llh, -0.5 * result.chi2 - 22 * std::log(0.05 * std::sqrt(2 * M_PI)), 1e-9);
  EXPECT_EQ(result.degrees_of_freedom, 16);
  EXPECT_LE(result.nodes, 11);
  EXPECT_NEAR(result.aic.value(), 12 - 2 * result.llh, 1e-9);
  EXPECT_NEAR(result.bic.value(), 6 * std::log(22.0) - 2 * result.llh, 1e-9);
}

TEST(FitOfPredatorAndPrey, FindsTheCovariance) {
  const FitResult result = fit_of(test::predator_prey());
  // p1 p2 p3 p4 x1 x2; computed in two independent ways that agree to 1e-14.
  const double expected[6][6] = {
      {0.0019767774701069, 0.001726941971917897, -0.001971460170711661, -0.001703556864717363, -0.0005354543774746,
       0.0004274291754688586},
      {0, 0.001699679645405833, -0.0017151133097499072, -0.001440356081929487, -0.0005405298469687984,
       0.00019164374997960023},
      {0, 0, 0.0020729969948763455, 0.001809570805380861, 0.0005176134811726726, -0.0005968127370314417},
      {0, 0, 0, 0.0017984855406530521, 0.00030522261255259633, -0.000553577334402634},
      {0, 0, 0, 0, 0.00030065811249512745, -6.089073484256361e-05},
      {0, 0, 0, 0, 0, 0.0006283830380541902}};
  ASSERT_EQ(result.covariance_ids, (std::vector<std::string>{"p1", "p2", "p3", "p4", "x1", "x2"}));
  for (int i = 0; i < 6; ++i) {
    for (int k = i; k < 6; ++k) {
      const double size = std::sqrt(expected[i][i] * expected[k][k]);
      EXPECT_NEAR(result.covariance(i, k), expected[i][k], 1e-6 * size) << i << ", " << k;
      EXPECT_NEAR(result.covariance(k, i), expected[i][k], 1e-6 * size) << i << ", " << k;
    }
  }
  const Estimate& p1 = result.parameters[0];
  EXPECT_NEAR(*p1.standard_error, std::sqrt(expected[0][0]), 1e-7);
  const auto wald = p1.interval_wald.value_or(*p1.interval);
  EXPECT_NEAR(wald.second - wald.first, 2 * 1.959964 * *p1.standard_error, 1e-6);
}

TEST(FitOfPredatorAndPrey, FindsItFromHalfTheData) {
  const FitResult result = fit_of(test::predator_prey_partial(), {.method = Method::gauss_newton});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(distance(estimates(result), test::predator_prey_partial_p), 1e-6);
  EXPECT_LE(result.iterations, 25);
  EXPECT_NEAR(*result.parameters[1].standard_error, 0.19868047036267245, 1e-5);
}

TEST(FitOfPredatorAndPrey, FindsItByAdjointsAndByTangents) {
  for (const model::Derivatives sweep : {model::Derivatives::tangent, model::Derivatives::adjoint}) {
    const FitResult result = fit_of(test::predator_prey(), {.derivatives = sweep});
    EXPECT_EQ(result.derivatives, sweep);
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(distance(estimates(result), test::predator_prey_p), 1e-6);
  }
}

TEST(FitOfPredatorAndPrey, FindsItWithFixedSteps) {
  const FitResult result = fit_of(test::predator_prey(), {.integrator = model::Rk4{0.025}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.integrator, "rk4");
  EXPECT_LE(distance(estimates(result), test::predator_prey_p), 5e-8);
}

TEST(FitOfPredatorAndPrey, DoesNotDependOnTheGrid) {
  const FitResult reference = fit_of(test::predator_prey(), {.nodes = model::NodesAtMeasurements{}});
  for (const model::Nodes& nodes :
       {model::Nodes(model::IntervalCount{5}), model::Nodes(model::NodeTimes{{1, 2.5, 4, 4.7, 8}})}) {
    const FitResult result = fit_of(test::predator_prey(), {.nodes = nodes});
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(distance(estimates(result), estimates(reference)), 1e-6);
    for (std::size_t n = 0; n < reference.covariance.data.size(); ++n)
      EXPECT_NEAR(result.covariance.data[n], reference.covariance.data[n], 1e-6 * reference.covariance(2, 2));
    EXPECT_NEAR(result.llh, reference.llh, 1e-6);
  }
}

TEST(FitOfPredatorAndPrey, GivesTheSameBitsOnOneAndTwoThreads) {
  for (const Method method : {Method::gauss_newton, Method::scalar}) {
    const FitResult one = fit_of(test::predator_prey(), {.method = method, .max_iterations = 30, .threads = 1});
    const FitResult two = fit_of(test::predator_prey(), {.method = method, .max_iterations = 30, .threads = 2});
    EXPECT_EQ(estimates(one), estimates(two));
    EXPECT_EQ(one.objective, two.objective);
    EXPECT_EQ(one.covariance.data, two.covariance.data);
    EXPECT_EQ(one.trace.size(), two.trace.size());
  }
}

TEST(FitOfPredatorAndPrey, WithoutNoiseFindsTheTruthAndEndsQuadratically) {
  const model::Problem exact = test::without_noise(test::predator_prey(), test::predator_prey_truth);
  const FitResult result = fit_of(exact, {.integrator = model::Dopri5{1e-11, 1e-13}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_LE(distance(estimates(result), {1, 1, 1, 1}), 1e-8);
  EXPECT_LE(result.chi2, 1e-10);
  bool quadratic = false;
  for (std::size_t k = 2; k < result.trace.size(); ++k) {
    const double before = result.trace[k - 1].step;
    quadratic = quadratic || (before < 0.05 && before > 1e-6 && result.trace[k].step < 10 * before * before);
  }
  EXPECT_TRUE(quadratic);
}

TEST(FitOfPredatorAndPrey, OneFactorOnAllSigmasChangesNothingButTheErrors) {
  model::Problem problem = test::predator_prey();
  const FitResult plain = fit_of(problem);
  for (model::Measurement& measurement : problem.measurements) measurement.sigma = 0.5;
  const FitResult scaled = fit_of(problem);
  ASSERT_EQ(scaled.status, Status::converged) << scaled.message;
  EXPECT_LE(distance(estimates(scaled), estimates(plain)), 1e-8);
  EXPECT_NEAR(*scaled.parameters[0].standard_error, 10 * *plain.parameters[0].standard_error, 1e-7);
}

TEST(FitOfPredatorAndPrey, ShuffledDataDoNotFit) {
  model::Problem problem = test::predator_prey();
  const FitResult right = fit_of(problem);
  for (int j = 0; j <= 10; ++j) {
    problem.measurements[2 * j].time = (3 * j) % 11;
    problem.measurements[2 * j + 1].time = (3 * j) % 11;
  }
  const FitResult shuffled = fit_of(problem, {.max_iterations = 50});
  EXPECT_GT(shuffled.chi2, 10 * right.chi2);
}

// d p / d eta = C J'/sigma with C the covariance and J the sensitivities, here by differences of simulations.
TEST(FitOfPredatorAndPrey, ADatumMovesTheEstimateAsTheLinearTheorySays) {
  model::Problem problem = test::predator_prey();
  const model::Integrator tight = model::Dopri5{1e-10, 1e-12};
  const FitResult before = fit_of(problem, {.integrator = tight});
  const int datum = 8;  // the predator at t = 4
  std::map<std::string, double> at;
  for (const auto* list : {&before.parameters, &before.initial})
    for (const Estimate& estimate : *list) at[estimate.id] = estimate.estimate;
  std::vector<double> sensitivity;
  for (const std::string& id : before.covariance_ids) {
    const auto simulate = [&](double shift) {
      auto values = at;
      values[id] += shift;
      return evaluate(problem, {.integrator = tight, .values = values}).simulations[datum].simulation;
    };
    sensitivity.push_back((simulate(1e-5) - simulate(-1e-5)) / 2e-5);
  }
  problem.measurements[datum].value += 1e-3;
  const FitResult after = fit_of(problem, {.integrator = tight});
  double difference = 0;
  double size = 0;
  for (int k = 0; k < 4; ++k) {
    double predicted = 0;
    for (int i = 0; i < 6; ++i) predicted += before.covariance(k, i) * sensitivity[i] * 1e-3 / (0.05 * 0.05);
    const double moved = after.parameters[k].estimate - before.parameters[k].estimate;
    difference += (moved - predicted) * (moved - predicted);
    size += predicted * predicted;
  }
  EXPECT_GT(std::sqrt(size), 1e-5);
  EXPECT_LE(std::sqrt(difference), 0.15 * std::sqrt(size));
}

TEST(FitOfPredatorAndPrey, SingleShootingRunsIntoThePoleAndSaysWhere) {
  const FitResult result = fit_of(test::predator_prey(), {.nodes = model::SingleInterval{}});
  EXPECT_EQ(result.status, Status::numerical_failure);
  const std::size_t at = result.message.find("t = 3.3");
  ASSERT_NE(at, std::string::npos) << result.message;
  const double time = std::stod(result.message.substr(at + 4));
  EXPECT_GE(time, 3.30);
  EXPECT_LE(time, 3.31);
  for (const Estimate& estimate : result.parameters) EXPECT_TRUE(std::isfinite(estimate.estimate));
}

TEST(FitOfPredatorAndPrey, SingleShootingWorksFromNearby) {
  const FitResult result =
      fit_of(test::predator_prey(), {.nodes = model::SingleInterval{}, .guess = test::predator_prey_truth});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.nodes, 2);
  EXPECT_LE(distance(estimates(result), test::predator_prey_p), 1e-6);
}

TEST(FitOfPredatorAndPrey, StopsWhenAskedAndKeepsWhatItHas) {
  std::atomic<int> asked = 0;
  const FitResult result = fit(test::predator_prey(), {}, {.interrupted = [&asked] { return ++asked > 2; }});
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.parameters.size(), 4u);
  const FitResult late = fit(test::predator_prey(), {.max_seconds = 0}, {});
  EXPECT_EQ(late.status, Status::max_time);
  const FitResult few = fit(test::predator_prey(), {.max_iterations = 1}, {});
  EXPECT_NE(few.status, Status::converged);
  EXPECT_FALSE(few.message.empty());
}

}  // namespace
}  // namespace salvo::fit
