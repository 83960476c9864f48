#include "pictures/forecast.hpp"

#include <gtest/gtest.h>

#include "pictures/picture_times.hpp"

namespace salvo::pictures {
namespace {

model::Problem predicted_at(const std::vector<double>& times) {
  model::Problem problem;
  problem.experiments.emplace_back();
  problem.experiments[0].predicted_at = times;
  return problem;
}

TEST(Forecast, AddsAnIntervalBeyondTheLastMeasurementOnly) {
  const std::vector<shooting::Grid> grids{{.experiment = 0, .tau = {0, 1, 2}}};
  EXPECT_EQ(with_forecast(predicted_at({1.5, 5}), grids)[0].tau, (std::vector<double>{0, 1, 2, 5}));
  EXPECT_EQ(with_forecast(predicted_at({1.5}), grids)[0].tau, grids[0].tau);
  EXPECT_EQ(with_forecast(predicted_at({}), grids)[0].tau, grids[0].tau);
}

TEST(Forecast, CurvesAreLookedAtWhereAValueIsToBePredicted) {
  const PictureTimes times(predicted_at({0.3, 1, 7, 10}));
  EXPECT_EQ(times.between(0, 0, 10, 2), (std::vector<double>{0, 0.3, 1, 5, 7, 10}));
  EXPECT_EQ(times.between(0, 0.3, 1, 1), (std::vector<double>{0.3, 1}));
}

}  // namespace
}  // namespace salvo::pictures
