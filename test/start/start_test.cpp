#include "start/start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/samples.hpp"

namespace salvo::start {
namespace {

using model::StartValues;

TEST(Start, TakesTheGuessesOfTheParameters) {
  const test::Sample sample{"", test::rich_problem(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::data).q;
  EXPECT_NEAR(q[0], std::log(1.3), 1e-15);
  EXPECT_NEAR(q[1], std::log10(0.7), 1e-15);
  EXPECT_EQ(q[2], 0.2);
}

TEST(Start, ObservedStatesComeFromTheirData) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::data).q;
  EXPECT_EQ(problem->node_state(0, 0, q), (std::vector<double>{0.383652, 0.951284}));
  EXPECT_EQ(problem->node_state(0, 7, q), (std::vector<double>{0.350871, 1.314388}));
}

TEST(Start, DataAreInterpolatedBetweenMeasurements) {
  const test::Sample sample{"", test::predator_prey_partial(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::data).q;
  EXPECT_NEAR(problem->node_state(0, 3, q)[1], 0.944939 + 0.6 * (0.435893 - 0.944939), 1e-12);
  EXPECT_EQ(problem->node_state(0, 10, q)[1], 0.620007);
}

TEST(Start, ReplicatesAreAveraged) {
  test::Builder builder = test::decay(test::estimated(1), test::estimated(7));
  builder.measure(0, 0, 0, 2).measure(0, 0, 0, 3).measure(0, 0, 1, 1).measure(0, 0, 1, 2).measure(0, 0, 1, 6);
  const test::Sample sample{"", builder.build(), model::IntervalCount{2}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::data).q;
  EXPECT_NEAR(q[1], 2.5, 1e-15);
  EXPECT_NEAR(q[3], 3, 1e-15);
  EXPECT_NEAR(q[2], 2.75, 1e-15);
}

TEST(Start, HiddenStatesAreSimulatedFromNodeToNode) {
  test::Builder builder = test::predator_prey_without_data(test::estimated(0.4), test::estimated(1));
  for (int j = 0; j <= 4; ++j) builder.measure(0, 0, 0.3 * j, 1.5);
  const test::Sample sample{"", builder.build(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::data).q;
  EXPECT_EQ(problem->node_state(0, 0, q), (std::vector<double>{1.5, 1}));
  nlp::Blocks blocks;
  ASSERT_TRUE(problem->values(q, blocks).ok);
  for (int j = 0; j < 4; ++j) {
    EXPECT_EQ(problem->node_state(0, j + 1, q)[0], 1.5);
    EXPECT_NEAR(blocks.chains[0].links[j].gap[1], 0, 1e-12) << j;
  }
}

TEST(Start, ASimulationHasNoGaps) {
  test::Builder builder = test::driven();
  for (int j = 0; j <= 4; ++j) builder.measure(0, 0, 0.7 * j, 0.1 * j);
  const test::Sample sample{"", builder.build(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::simulate).q;
  EXPECT_EQ(problem->node_state(0, 0, q), (std::vector<double>{0.3, -0.2}));  // the guess, not the datum
  nlp::Blocks blocks;
  ASSERT_TRUE(problem->values(q, blocks).ok);
  EXPECT_LE(blocks.gap, 1e-14);
}

TEST(Start, ASingleIntervalObeysTheGuess) {
  const test::Sample sample{"", test::predator_prey(), model::SingleInterval{}};
  const auto problem = test::lay_out(sample, {});
  EXPECT_EQ(problem->node_state(0, 0, start_point(*problem, StartValues::data).q), (std::vector<double>{0.4, 1}));
}

TEST(Start, StaysWithinBounds) {
  test::Builder builder = test::decay(test::within(9, 0, 2), test::within(1, 0.5, 1.5));
  builder.measure(0, 0, 0, 7).measure(0, 0, 1, 3);
  const test::Sample sample{"", builder.build(), model::IntervalCount{2}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point q = start_point(*problem, StartValues::data).q;
  EXPECT_EQ(q[0], 2);
  EXPECT_EQ(q[1], 1.5);
}

TEST(Start, AutomaticFindsParametersByIntegralMatching) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const Start start = start_point(*problem, StartValues::automatic);
  // within three standard errors or so of the maximum-likelihood estimate; the guess is (0.5, 0.5, 0.5, -0.2)
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(start.q[k], test::predator_prey_p[k], 0.15) << k;
  EXPECT_EQ(start.choice, "parameters from integral matching of x1, x2, nodes from smoothed data");
  EXPECT_EQ(start.remark, "");
}

TEST(Start, IsLookedForNoFurtherOnceItIsGood) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  start_point(*problem, StartValues::automatic);
  EXPECT_EQ(problem->work().trajectories,
            10);  // one for each interval, from the matched parameters; none from the guess
}

TEST(Start, NodesOfAnAutomaticStartAreSmoothed) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const nlp::Point smoothed = start_point(*problem, StartValues::automatic, Improvement::none).q;
  const nlp::Point raw = start_point(*problem, StartValues::data).q;
  double squares = 0;
  for (std::size_t k = 4; k < raw.size(); ++k) squares += std::pow((smoothed[k] - raw[k]) / 0.05, 2);
  EXPECT_GT(squares, 0.5);
  EXPECT_LT(squares, 22);  // less than the noise of 22 measurements
  for (int k = 0; k < 4; ++k) EXPECT_EQ(smoothed[k], raw[k]);
}

test::Builder blow_up() {
  test::Builder builder(test::Equations{{"x", "a*x^2"}});
  builder.parameter("a", test::estimated(1.5)).observable("x", "x", "0.1").experiment("default", {test::estimated(1)});
  for (int j = 0; j <= 4; ++j) builder.measure(0, 0, j, 1);
  return builder;
}

TEST(Start, RepairHalvesParametersThatLeadIntoAPole) {
  const test::Sample sample{"", blow_up().build(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const Start start = start_point(*problem, StartValues::automatic, Improvement::repair);
  EXPECT_EQ(start.q[0], 0.75);
  EXPECT_NE(start.remark, "");
  nlp::Blocks blocks;
  EXPECT_TRUE(problem->values(start.q, blocks).ok);
}

TEST(Start, MatchingNeedsNoRepair) {
  const test::Sample sample{"", blow_up().build(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const Start start = start_point(*problem, StartValues::automatic);
  EXPECT_NEAR(start.q[0], 0, 1e-6);  // the data stand still
  EXPECT_EQ(start.remark, "");
}

TEST(Start, WhatIsSaidExplicitlyIsObeyedToTheLetter) {
  const test::Sample sample{"", blow_up().build(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  EXPECT_EQ(start_point(*problem, StartValues::data).q[0], 1.5);
  EXPECT_EQ(start_point(*problem, StartValues::simulate).q[0], 1.5);
  const Start start = start_point(*problem, StartValues::automatic, Improvement::none);
  EXPECT_EQ(start.q[0], 1.5);
  EXPECT_EQ(start.remark, "");
}

TEST(Start, IsFiniteEvenWhereATrajectoryIsNot) {
  test::Builder builder(test::Equations{{"x", "x^2"}, {"y", "-y"}});
  builder.observable("y", "y", "0.1").experiment("default", {test::estimated(1), test::estimated(1)});
  for (int j = 0; j <= 4; ++j) builder.measure(0, 0, j, 1);
  const test::Sample sample{"", builder.build(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  for (const double value : start_point(*problem, StartValues::data).q) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace salvo::start
