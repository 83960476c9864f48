#include "pictures/picture_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace salvo::pictures {
namespace {

model::Problem measured_at(const std::vector<double>& times) {
  model::Problem problem;
  problem.experiments.emplace_back();
  for (const double time : times) {
    model::Measurement m;
    m.experiment = 0;
    m.time = time;
    problem.measurements.push_back(m);
  }
  return problem;
}

TEST(PictureTimes, AreEvenWhereMeasurementsAre) {
  std::vector<double> even;
  for (int k = 0; k <= 1000; ++k) even.push_back(k / 100.0);
  EXPECT_EQ(PictureTimes(measured_at(even)).between(0, 0, 10, 4), (std::vector<double>{0, 2.5, 5, 7.5, 10}));
}

TEST(PictureTimes, FollowMeasurementsOverDecades) {
  std::vector<double> decades;
  for (int k = -6; k <= 2; ++k) decades.push_back(std::pow(10.0, k));
  const std::vector<double> times = PictureTimes(measured_at(decades)).between(0, 0, 100, 50);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(std::adjacent_find(times.begin(), times.end()), times.end());
  EXPECT_EQ(times.front(), 0);
  EXPECT_EQ(times.back(), 100);
  for (int k = -6; k <= 0; ++k) {
    EXPECT_TRUE(std::binary_search(times.begin(), times.end(), std::pow(10.0, k))) << k;
    if (k == -6) continue;
    EXPECT_TRUE(std::any_of(times.begin(), times.end(), [&](double t) {
      return t > std::pow(10.0, k - 1) && t < std::pow(10.0, k);
    })) << k;
  }
}

TEST(PictureTimes, StayFewWhereMeasurementsAreMany) {
  std::vector<double> crowd;
  for (int k = 1; k <= 100'000; ++k) crowd.push_back(1e-6 * k);
  EXPECT_LE(PictureTimes(measured_at(crowd)).between(0, 0, 100, 50).size(), 251U);
}

}  // namespace
}  // namespace salvo::pictures
