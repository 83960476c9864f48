#include "start/smoothing_spline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "start/reinsch_system.hpp"

namespace salvo::start {
namespace {

std::vector<SeriesPoint> sampled(double (*f)(double), int count, double noise, double sigma) {
  Random random(3);
  std::vector<SeriesPoint> points;
  for (int i = 0; i < count; ++i) {
    const double t = 10.0 / (count - 1) * (i + (i % 3 == 1 ? 0.3 : 0));
    points.push_back({.time = t, .value = f(t) + noise * random.normal(), .sigma = sigma});
  }
  return points;
}
double wave(double t) { return std::sin(t); }
double line(double t) { return 2 - 0.5 * t; }

TEST(SmoothingSpline, InterpolatesExactData) {
  const auto points = sampled(wave, 41, 0, 1e-9);
  const Curve curve = smoothing_spline(points, NoiseLevel::known, 0.03);
  for (const SeriesPoint& point : points) EXPECT_NEAR(curve.at(point.time), point.value, 1e-8);
  for (double t = 1; t < 9; t += 0.1) EXPECT_NEAR(curve.at(t), std::sin(t), 1e-3) << t;
}

TEST(SmoothingSpline, LeavesAsMuchAsTheNoiseOfTheStatedLevel) {
  const auto points = sampled(wave, 101, 0.2, 0.2);
  const Curve curve = smoothing_spline(points, NoiseLevel::known, 0.03);
  double left = 0;
  double wrong = 0;
  for (const SeriesPoint& point : points) {
    left += std::pow((point.value - curve.at(point.time)) / point.sigma, 2);
    wrong += std::pow((wave(point.time) - curve.at(point.time)) / point.sigma, 2);
  }
  EXPECT_NEAR(left, 101 - curve.freedom, 0.5);
  EXPECT_LT(wrong, 0.5 * 101);  // much nearer to the truth than the data are
}

TEST(SmoothingSpline, MeetsTheStatedLevelWhateverItIs) {
  for (const double noise : {1e-3, 0.03, 0.3}) {
    const auto points = sampled(wave, 31, noise, noise);
    const Curve curve = smoothing_spline(points, NoiseLevel::known, 0.03);
    double left = 0;
    for (std::size_t i = 0; i < points.size(); ++i) left += std::pow((points[i].value - curve.value[i]) / noise, 2);
    EXPECT_NEAR(left, 31 - curve.freedom, 0.02) << noise;
  }
}

// The smoother is linear in the data, so differences are derivatives.
TEST(ReinschSystem, CountsWhatTheSmootherLeavesOfEachDatum) {
  const auto points = sampled(wave, 9, 0.2, 0.3);
  ReinschSystem system(points);
  const double lambda = 3 * system.reference();
  const auto measure = system.solve(lambda);
  double squares = 0;
  for (int i = 0; i < 9; ++i) squares += std::pow(system.residual(i) / points[i].sigma, 2);
  EXPECT_NEAR(measure.squares, squares, 1e-12 * squares);
  double left = 0;
  for (int i = 0; i < 9; ++i) {
    auto moved = points;
    moved[i].value += 1;
    ReinschSystem other(moved);
    other.solve(lambda);
    left += other.residual(i) - system.residual(i);
  }
  EXPECT_NEAR(measure.left, left, 1e-11);
}

TEST(SmoothingSpline, FindsTheLevelOfUnknownNoise) {
  const Curve curve = smoothing_spline(sampled(wave, 201, 0.2, 1), NoiseLevel::unknown, 0.03);
  EXPECT_NEAR(curve.sigma, 0.2, 0.05);
  for (double t = 1; t < 9; t += 0.1) EXPECT_NEAR(curve.at(t), std::sin(t), 0.2) << t;
}

TEST(SmoothingSpline, TakesAStraightLineForOne) {
  const Curve curve = smoothing_spline(sampled(line, 30, 0.01, 0.1), NoiseLevel::known, 0.03);
  EXPECT_NEAR(curve.freedom, 2, 1e-3);
  for (double t = 0; t < 10; t += 0.3) EXPECT_NEAR(curve.at(t), line(t), 0.02) << t;
}

TEST(SmoothingSpline, KnowsWhatItWouldMissAtAPointLeftOut) {
  const auto points = sampled(wave, 12, 0, 1e-9);
  const Curve curve = smoothing_spline(points, NoiseLevel::known, 0.03);
  for (const std::size_t out : {1U, 5U, 10U}) {
    auto others = points;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    const double missed = points[out].value - smoothing_spline(others, NoiseLevel::known, 0.03).at(points[out].time);
    EXPECT_NEAR(curve.left_out[out], missed, 1e-6) << out;
  }
}

TEST(SmoothingSpline, OnePointIsAConstantTwoAreALine) {
  const std::vector<SeriesPoint> points{{.time = 1, .value = 3}, {.time = 2, .value = 5}};
  EXPECT_EQ(smoothing_spline(std::span(points).first(1), NoiseLevel::known, 0.03).at(7), 3);
  const Curve line = smoothing_spline(points, NoiseLevel::known, 0.03);
  EXPECT_NEAR(line.at(1.5), 4, 1e-15);
  EXPECT_NEAR(line.at(2.5), 6, 1e-15);
  EXPECT_NEAR(line.at(9), 7, 1e-15);  // no further than one distance beyond the end
}

TEST(SmoothingSpline, ThreePointsOfTinyNoiseAreInterpolated) {
  const std::vector<SeriesPoint> points{{0, 0, 1e-12}, {1, 1, 1e-12}, {2, 0, 1e-12}};
  for (const NoiseLevel level : {NoiseLevel::known, NoiseLevel::unknown})
    EXPECT_TRUE(std::isfinite(smoothing_spline(points, level, 0.03).at(0.5)));
  EXPECT_NEAR(smoothing_spline(points, NoiseLevel::known, 0.03).at(1), 1, 1e-9);
}

TEST(Averaged, ReplicatesAreWeighedByTheirErrors) {
  const auto points = averaged({{2, 7, 1}, {1, 3, 1}, {1, 6, 0.5}}, 10);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_NEAR(points[0].value, (3 + 4 * 6) / 5.0, 1e-14);
  EXPECT_NEAR(points[0].sigma, 1 / std::sqrt(5.0), 1e-14);
  EXPECT_EQ(points[1].value, 7);
}

TEST(Averaged, NeighboursAreTakenTogetherWherePointsAreTooMany) {
  const auto points = averaged({{1, 3, 1}, {2, 6, 1}, {3, 8, 1}, {5, 2, 0.5}, {6, 4, 1}}, 3);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_NEAR(points[0].time, 1.5, 1e-14);
  EXPECT_NEAR(points[0].value, 4.5, 1e-14);
  EXPECT_NEAR(points[0].sigma, std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(points[1].time, (3 + 4 * 5) / 5.0, 1e-14);
  EXPECT_NEAR(points[1].value, (8 + 4 * 2) / 5.0, 1e-14);
  EXPECT_EQ(points[2].value, 4);
}

}  // namespace
}  // namespace salvo::start
