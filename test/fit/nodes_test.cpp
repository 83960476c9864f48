#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "fits.hpp"

namespace salvo::fit {
namespace {

using test::distance;
using test::estimates;
using test::fit_of;

model::Problem notorious(double mu) {
  test::Builder builder({{"x1", "x2"}, {"x2", "mu^2*x1 - (mu^2 + p^2)*sin(p*t)"}});
  builder.parameter("p", test::within(1, 0, 10)).parameter("mu", mu);
  builder.observable("x1_obs", "x1", "0.05").observable("x2_obs", "x2", "0.05");
  builder.experiment(model::default_experiment, {test::estimated(0), test::estimated(1)});
  Random random(7);
  for (int j = 0; j <= 10; ++j) {
    const double phase = std::numbers::pi * 0.1 * j;
    builder.measure(0, 0, 0.1 * j, std::sin(phase) + 0.05 * random.normal());
    builder.measure(0, 1, 0.1 * j, std::numbers::pi * std::cos(phase) + 0.05 * random.normal());
  }
  return builder.build();
}

model::Problem decay(int samples) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(3, 0, 100)).observable("amount", "x", "0.05");
  builder.experiment(model::default_experiment, {test::estimated(1)});
  Random random(3);
  for (int j = 0; j < samples; ++j) {
    const double t = 4.0 * j / (samples - 1);
    builder.measure(0, 0, t, 2 * std::exp(-t) + 0.05 * random.normal());
  }
  return builder.build();
}

TEST(NodesByThemselves, AreFewWhereTheFlowIsTameHoweverManyTheSamples) {
  const FitResult result = fit_of(decay(3000));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.parameters[0].estimate, 1, 4 * *result.parameters[0].standard_error);
  EXPECT_LE(result.nodes, 5);
}

TEST(NodesByThemselves, AreManyWhereItStretches) {
  const FitResult tame = fit_of(notorious(5));
  const FitResult wild = fit_of(notorious(60));
  ASSERT_EQ(wild.status, Status::converged) << wild.message;
  EXPECT_NEAR(wild.parameters[0].estimate, std::numbers::pi, 4 * *wild.parameters[0].standard_error);
  EXPECT_LE(wild.iterations, 20);
  // e^60 in steps of at most a hundredfold: more than there are measured times
  EXPECT_GT(wild.nodes, 12);
  EXPECT_LT(tame.nodes, wild.nodes);
}

// With the gaps closed, all grids describe the same set of trajectories.
TEST(NodesByThemselves, LeaveEstimatesAndCovarianceAsOnAnyGrid) {
  const model::Integrator exact = model::Dopri5{1e-11, 1e-13};
  const FitResult chosen = fit_of(test::predator_prey(), {.integrator = exact});
  ASSERT_EQ(chosen.status, Status::converged) << chosen.message;
  for (const model::Nodes& nodes :
       {model::Nodes{model::NodesAtMeasurements{}}, model::Nodes{model::IntervalCount{7}},
        model::Nodes{model::IntervalCount{30}}, model::Nodes{model::NodeTimes{{0.5, 1.7, 4, 9.9}}}}) {
    const FitResult other = fit_of(test::predator_prey(), {.nodes = nodes, .integrator = exact});
    ASSERT_EQ(other.status, Status::converged) << other.message;
    EXPECT_LE(distance(estimates(other), estimates(chosen)), 1e-8);
    EXPECT_NEAR(other.chi2, chosen.chi2, 1e-8);
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(other.covariance(i, k), chosen.covariance(i, k),
                    1e-6 * std::sqrt(chosen.covariance(i, i) * chosen.covariance(k, k)));
  }
}

// Every state of many measured at every node: what is measured inside a longer interval costs as much as its nodes did.
TEST(NodesByThemselves, StayWhereMergingThemSavesNothing) {
  constexpr int d = 64;
  test::Equations equations;
  for (int i = 0; i < d; ++i)
    equations.push_back(
        {"x" + std::to_string(i), "k*(x" + std::to_string((i + 1) % d) + " - x" + std::to_string(i) + ")"});
  test::Builder builder(equations);
  builder.parameter("k", test::estimated(0.5));
  std::vector<std::variant<std::string, model::Estimated>> initial;
  std::map<std::string, double> truth{{"k", 1}};
  for (int i = 0; i < d; ++i) {
    builder.observable("y" + std::to_string(i), "x" + std::to_string(i), "0.1");
    initial.push_back(test::estimated(1));
    truth["x" + std::to_string(i)] = 2 + std::sin(i);
  }
  builder.experiment(model::default_experiment, initial);
  for (int j = 0; j <= 10; ++j)
    for (int i = 0; i < d; ++i) builder.measure(0, i, 0.2 * j, 0);
  const FitResult result = fit_of(test::without_noise(builder.build(), truth));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.parameters[0].estimate, 1, 1e-6);
  EXPECT_EQ(result.nodes, 11);
}

// x' = p x^2 from 1: the guess p = 1 has its pole at t = 1, long before the only late measurement.
TEST(NodesByThemselves, AreInsertedWhereATrajectoryFails) {
  test::Builder builder(test::Equations{{"x", "p*x^2"}});
  builder.parameter("p", test::estimated(1)).observable("x_obs", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (const double t : {0.2, 2.0, 4.0}) builder.measure(0, 0, t, 1 / (1 - 0.2 * t));
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.parameters[0].estimate, 0.2, 1e-6);
}

}  // namespace
}  // namespace salvo::fit
