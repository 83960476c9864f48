#include "results/goodness.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo {
namespace {

model::Problem problem_with(model::Distribution law, const std::vector<double>& values) {
  model::Problem problem;
  problem.observables = {{.id = "a", .distribution = law}};
  problem.experiments = {{.id = "one"}};
  for (std::size_t i = 0; i < values.size(); ++i)
    problem.measurements.push_back({.time = static_cast<double>(i), .value = values[i]});
  return problem;
}

std::vector<Prediction> predictions_of(const std::vector<double>& simulations) {
  std::vector<Prediction> out;
  for (std::size_t i = 0; i < simulations.size(); ++i)
    out.push_back({.row = static_cast<int>(i), .simulation = simulations[i]});
  return out;
}

// Errors 1, 0, -1 against deviations -2, 0, 2 from the mean.
TEST(Goodness, IsThatOfTheTextbook) {
  const auto all =
      goodness_by_observable(problem_with(model::Distribution::normal, {1, 3, 5}), predictions_of({0, 3, 6}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].measurements, 3);
  EXPECT_NEAR(all[0].rmse, std::sqrt(2.0 / 3), 1e-14);
  EXPECT_NEAR(*all[0].r2, 0.75, 1e-14);
  EXPECT_NEAR(*all[0].fit, 50, 1e-12);
}

TEST(Goodness, IsOfLogarithmsWhereTheNoiseIs) {
  const auto all = goodness_by_observable(problem_with(model::Distribution::log_normal, {1, 10, 100}),
                                          predictions_of({1, 10, 1000}));
  EXPECT_NEAR(all[0].rmse, std::log(10) / std::sqrt(3), 1e-14);
  EXPECT_NEAR(*all[0].r2, 0.5, 1e-14);
}

TEST(Goodness, LeavesOutLimitsAndWhatDoesNotVary) {
  model::Problem problem = problem_with(model::Distribution::normal, {2, 2, 9});
  problem.measurements[2].censored = model::Censored::below;
  const auto all = goodness_by_observable(problem, predictions_of({2, 3, 0}));
  EXPECT_EQ(all[0].measurements, 2);
  EXPECT_FALSE(all[0].r2 || all[0].fit);
}

// Residuals 1, -1, 1, -1, ... turn round at every step; the data need not be in the order of time.
TEST(Autocorrelation, SeesWhatFollowsInTime) {
  model::Problem problem = problem_with(model::Distribution::normal, std::vector<double>(12, 0.0));
  std::vector<Prediction> predictions;
  for (int i = 0; i < 12; ++i) {
    problem.measurements[static_cast<std::size_t>(i)].time = 11 - i;
    predictions.push_back({.row = i, .score = i % 2 == 0 ? 1.0 : -1.0});
  }
  const auto all = autocorrelation_by_observable(problem, predictions);
  ASSERT_EQ(all[0].lags.size(), 3U);
  EXPECT_EQ(all[0].count, 12);
  EXPECT_NEAR(all[0].lags[0], -11.0 / 12, 1e-14);
  EXPECT_NEAR(all[0].lags[1], 10.0 / 12, 1e-14);
  predictions.resize(9);
  EXPECT_TRUE(autocorrelation_by_observable(problem, predictions)[0].lags.empty());
}

}  // namespace
}  // namespace salvo
