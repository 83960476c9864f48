#include "start/matching_pieces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/samples.hpp"

namespace salvo::start {
namespace {

// One state on the line x = 1 + 2 t, whose spline is the line and has two degrees of freedom.
ObservedStates on_a_line(int points, double step, double sigma = 0.1) {
  std::vector<SeriesPoint> series;
  for (int k = 0; k < points; ++k) series.push_back({.time = k * step, .value = 1 + 2 * k * step, .sigma = sigma});
  ObservedStates out;
  out.states = {{.series = series, .curve = smoothing_spline(series, NoiseLevel::known, 0.03)}};
  return out;
}

TEST(MatchingPieces, AreThoseBetweenFewMeasurements) {
  const MatchingPieces pieces = matching_pieces({}, on_a_line(5, 1), 0, 4);
  EXPECT_EQ(pieces.stops, (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(pieces.ends, (std::vector<int>{1, 2, 3, 4}));
}

TEST(MatchingPieces, AreNoMoreThanTheCurvesHaveToTell) {
  const MatchingPieces pieces = matching_pieces({}, on_a_line(200, 0.1), 0, 20);
  EXPECT_EQ(pieces.ends.size(), 19U);  // of ten distances each
  EXPECT_NEAR(pieces.stops[1], 1, 1e-12);
}

TEST(MatchingPieces, StopAtMeasurementsThatMadeNoCurve) {
  test::Builder builder = test::decay(test::estimated(1), test::estimated(1));
  for (const double t : {2.5, 1.0, 2.5}) builder.measure(0, 0, t, 1);
  ObservedStates observed = on_a_line(5, 1);
  observed.left_over = {0, 1, 2};
  const MatchingPieces pieces = matching_pieces(builder.build(), observed, 0, 4);
  EXPECT_EQ(pieces.stops, (std::vector<double>{0, 1, 2, 2.5, 3, 4}));
  EXPECT_EQ(pieces.ends, (std::vector<int>{1, 2, 4, 5}));
  EXPECT_EQ(pieces.measured_at, (std::vector<std::vector<int>>{{}, {1}, {}, {0, 2}, {}, {}}));
}

// sigma sqrt(2 tr A / n) and the least error: of eight points on a line tr A is 2, and its range is 14.
TEST(IncrementError, OfALineIsWhatSmoothingLeavesOfTheNoise) {
  const ObservedState state = on_a_line(8, 1).states[0];
  EXPECT_NEAR(increment_error(state, 2, 3), 0.1 * std::sqrt(2 * 2 / 8.0) + MatchingRules{}.curve_error * 14, 1e-6);
}

TEST(IncrementError, GrowsWithWhatTheCurveMissesNearby) {
  ObservedState state = on_a_line(8, 1).states[0];
  const double at_rest = increment_error(state, 2, 3);
  state.curve->left_out[6] = 5;  // far from the piece
  EXPECT_EQ(increment_error(state, 2, 3), at_rest);
  state.curve->left_out[3] = 0.5;  // five sigma, of which noise explains three
  EXPECT_NEAR(increment_error(state, 2, 3), at_rest + MatchingRules{}.between_knots * 0.4, 1e-12);
  state.coarse = true;  // then the state is simulated between the knots
  EXPECT_EQ(increment_error(state, 2, 3), at_rest);
}

TEST(IncrementError, OfALogarithmIsOneOfTheState) {
  ObservedState state = on_a_line(8, 1).states[0];
  const double of_logarithm = increment_error(state, 0, 1);
  state.logarithmic = true;
  EXPECT_NEAR(increment_error(state, 0, 1), of_logarithm * (std::exp(1) + std::exp(3)) / 2, 1e-6);
}

}  // namespace
}  // namespace salvo::start
