#include "shooting/nodes.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"
#include "shooting/measurements_by_time.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::shooting {
namespace {

// As many as there are, each from an old node, would take time that grows with the square of their number.
TEST(CarriedOver, NewNodesWithinAnOldIntervalLieOnOneTrajectory) {
  const test::Sample sample{"", test::predator_prey(), model::IntervalCount{2}};
  const auto from = test::lay_out(sample, {});
  const auto to = from->on(make_grids(sample.problem, model::IntervalCount{40}));
  const nlp::Point q = test::generic_point(from->layout());
  const nlp::Point carried = carried_over(*from, q, *to);
  const std::vector<double>& tau = to->grids()[0].tau;
  const std::vector<double> p = from->values_of(0, q, false).p;
  const Trajectory first = trajectory(from->model(), from->options().integrator, {tau[0], 0, true},
                                      from->node_state(0, 0, q), p, std::span(tau).subspan(1, 19));
  ASSERT_TRUE(first.ending.ok());
  for (int j = 1; j < 20; ++j)
    for (int i = 0; i < 2; ++i) EXPECT_EQ(carried[to->layout().chains[0].offset[j] + i], first.states(i, j - 1)) << j;
  EXPECT_EQ(to->node_state(0, 20, carried), from->node_state(0, 1, q));
  EXPECT_EQ(to->node_state(0, 40, carried), from->node_state(0, 2, q));
}

TEST(CarriedOver, NodesThatAreNotReachedStandWhereTheLastOneStood) {
  test::Builder builder(test::Equations{{"x", "x^2"}});  // 1 / (1 - t) from 1
  builder.parameter("k", test::estimated(1)).observable("y", "k*x", "0.1");
  builder.experiment(model::default_experiment, {"1"}).measure(0, 0, 2, 1);
  const test::Sample sample{"", builder.build(), model::SingleInterval{}};
  const auto from = test::lay_out(sample, {});
  const auto to = from->on(make_grids(sample.problem, model::IntervalCount{3}));
  const nlp::Point carried = carried_over(*from, {1}, *to);
  EXPECT_NEAR(to->node_state(0, 1, carried)[0], 3, 1e-5);
  EXPECT_EQ(to->node_state(0, 2, carried)[0], 1);
  EXPECT_EQ(to->node_state(0, 3, carried)[0], 1);
}

// The steps of three lanes that nobody needs would take time, and three quarters of the memory of a long interval.
TEST(ShootingProblem, OneIntervalIsNoPackOfFour) {
  const auto lanes_on_one_interval = [](int count, Code code) {
    model::Problem problem = test::predator_prey();
    for (int n = 0; n < count; ++n) problem.measurements.push_back({.time = 10.0 * (n + 1) / count, .value = 1});
    const test::Sample sample{"", problem, model::IntervalCount{4}};
    ShootingOptions options;
    options.engine.code = code;
    const auto several = test::lay_out(sample, options);
    EXPECT_EQ(several->options().lanes, 4);
    nlp::Blocks blocks;
    EXPECT_TRUE(several->values(test::generic_point(several->layout()), blocks).ok);
    return several->on(make_grids(sample.problem, model::SingleInterval{}))->options().lanes;
  };
  EXPECT_EQ(lanes_on_one_interval(100, Code::interpreted), 1);
  EXPECT_EQ(lanes_on_one_interval(100, Code::native), 4);  // machine code for four lanes is there already
  EXPECT_EQ(lanes_on_one_interval(100'001, Code::native), 1);
}

TEST(MeasuredTimes, AreThoseOfEachExperimentOnce) {
  test::Builder builder = test::decay(test::estimated(1), "1");
  builder.experiment("other", {"2"});
  builder.measure(0, 0, 3, 0.1).measure(1, 0, 1, 0.1).measure(0, 0, 2, 0.1).measure(0, 0, 3, 0.2);
  EXPECT_EQ(measured_times(builder.build()), (std::vector<std::vector<double>>{{2, 3}, {1}}));
}

}  // namespace
}  // namespace salvo::shooting
