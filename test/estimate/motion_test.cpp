#include "estimate/answer/motion.hpp"

#include <numbers>

#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

constexpr double sigma = 0.1;

// 3 cos(w t), as x'' = -w^2 x, seen at every `step` until `until`.
model::Problem oscillation(double w, double step, double until) {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::estimated(w)).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {std::string("3"), std::string("0")});
  for (int j = 0; j * step <= until + 1e-9; ++j) builder.measure(0, 0, j * step, 3 * std::cos(w * j * step));
  return builder.build();
}
double motion_at(const model::Problem& problem, const nlp::Point& q, const model::Nodes& nodes, int between = 24) {
  const Workspace workspace(problem, {.nodes = nodes});
  const auto shooting = workspace.unbroken();
  return motion_of(*shooting, q, {}, between);
}

// Over a period a sine rises and falls by twice its amplitude each. Between 24 points it is straight, which takes off a
// hundredth at most: the points miss a turn by half of their distance.
TEST(Motion, OfASineIsFourAmplitudesInEachPeriod) {
  const double w = 2 * std::numbers::pi / 4;  // four measurements in a period
  const double expected = 5 * 4 * 3 / sigma;
  EXPECT_NEAR(motion_at(oscillation(w, 1, 20), {w}, model::SingleInterval{}), expected, 1e-2 * expected);
}

TEST(Motion, OfAConstantIsNothing) {
  test::Builder builder(test::Equations{{"x", "0*k"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {std::string("3")});
  for (int j = 0; j <= 5; ++j) builder.measure(0, 0, j, 3);
  EXPECT_EQ(motion_at(builder.build(), {1}, model::SingleInterval{}), 0);
}

// cos(w t) and cos((2 pi - w) t) are the same at t = 0, 1, 2, ... The ratio of their motions is that of their
// frequencies.
TEST(Motion, OfAnAliasIsMoreByTheRatioOfFrequencies) {
  const double w = 1.1, alias = 2 * std::numbers::pi - w;
  const model::Problem problem = oscillation(w, 1, 40);
  const double slow = motion_at(problem, {w}, model::SingleInterval{});
  const double fast = motion_at(problem, {alias}, model::SingleInterval{});
  EXPECT_NEAR(fast / slow, alias / w, 0.05 * alias / w);
}

TEST(Motion, IsThatOfTheUnbrokenTrajectoryOnJoinedNodesToo) {
  const double w = 1.1;
  const model::Problem problem = oscillation(w, 1, 8);
  const Workspace workspace(problem, {});
  const auto nodes = workspace.on(shooting::make_grids(problem, model::IntervalCount{4}));
  nlp::Point q(nodes->layout().unknowns);
  q[0] = w;
  for (int j = 1; j <= nodes->layout().chains[0].links(); ++j) {
    const double t = nodes->grids()[0].tau[j];
    q[nodes->layout().chains[0].offset[j]] = 3 * std::cos(w * t);
    q[nodes->layout().chains[0].offset[j] + 1] = -3 * w * std::sin(w * t);
  }
  const double whole = motion_of(*workspace.unbroken(), {w}, {}, 24);
  EXPECT_NEAR(motion_of(*nodes, q, {}, 24), whole, 0.02 * whole);
}

TEST(Motion, IsInfiniteWhereATrajectoryFails) {
  test::Builder builder(test::Equations{{"x", "k*x^2"}});  // from 1 it has its pole at t = 1/k
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {std::string("1")});
  builder.measure(0, 0, 2, 1).measure(0, 0, 3, 1);
  EXPECT_TRUE(std::isinf(motion_at(builder.build(), {1}, model::SingleInterval{})));
}

}  // namespace
}  // namespace salvo::estimate
