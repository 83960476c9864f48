#include "start/integral_matching.hpp"

#include <gtest/gtest.h>

#include "measured.hpp"

namespace salvo::start {
namespace {

using test::lorenz;
using test::measured;

std::optional<Matched> match(const shooting::ShootingProblem& problem) {
  const auto observed = observed_at_guess(problem);
  return match_integrals(problem, observed, guessed(problem, observed, ObservedNodes::smoothed, 1));
}

TEST(IntegralMatching, FindsTheParametersOfExactData) {
  const test::Sample sample{"", measured(lorenz(1e-4), {1, 0, 0}, {10, 28, 8. / 3}, {0, 1, 2}, 5, 0.02),
                            model::NodesAtMeasurements{}};
  const auto matched = match(*test::lay_out(sample, {}));
  ASSERT_TRUE(matched);
  EXPECT_NEAR(matched->unknowns.theta[0], 10, 0.01);
  EXPECT_NEAR(matched->unknowns.theta[1], 28, 0.01);
  EXPECT_NEAR(matched->unknowns.theta[2], 8. / 3, 0.005);
  EXPECT_EQ(matched->states, (std::vector<std::string>{"x", "y", "z"}));
}

TEST(IntegralMatching, FindsThemWithTwoOfThreeStatesHidden) {
  const test::Sample sample{"", measured(lorenz(1e-4), {1, 0, 0}, {10, 28, 8. / 3}, {0}, 15, 0.02),
                            model::NodesAtMeasurements{}};
  const auto matched = match(*test::lay_out(sample, {}));
  ASSERT_TRUE(matched);
  EXPECT_NEAR(matched->unknowns.theta[0], 10, 0.1);
  EXPECT_NEAR(matched->unknowns.theta[1], 28, 0.1);
  EXPECT_NEAR(matched->unknowns.theta[2], 8. / 3, 0.02);
}

TEST(IntegralMatching, KeepsGuessesThatNoDatumSees) {
  test::Builder builder = lorenz(0.01);
  builder.parameter("unseen", test::estimated(7));
  const test::Sample sample{"", measured(builder, {1, 0, 0}, {10, 28, 8. / 3, 7}, {0, 1, 2}, 2, 0.02),
                            model::NodesAtMeasurements{}};
  EXPECT_EQ(match(*test::lay_out(sample, {}))->unknowns.theta[3], 7);
}

TEST(IntegralMatching, StaysWithinBounds) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(0.1, 0, 0.3))
      .observable("see", "x", "0.01")
      .experiment("default", {test::estimated(1)});
  const test::Sample sample{"", measured(builder, {1}, {0.8}, {0}, 3, 0.25), model::NodesAtMeasurements{}};
  EXPECT_EQ(match(*test::lay_out(sample, {}))->unknowns.theta[0], 0.3);
}

TEST(IntegralMatching, SimulatesStatesThatAreFasterThanTheirData) {
  test::Builder builder(test::Equations{{"fast", "k*(slow - fast)"}, {"slow", "-c*slow"}});
  builder.parameter("k", test::estimated(1)).parameter("c", test::estimated(1));
  builder.observable("see_fast", "fast", "0.0001").observable("see_slow", "slow", "0.0001");
  builder.experiment("default", {"0", "1"});
  const test::Sample sample{"", measured(builder, {0, 1}, {3, 0.1}, {0, 1}, 10, 1), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const auto observed = observed_at_guess(*problem);
  const auto marked = with_coarse_curves_marked(observed);
  ASSERT_TRUE(marked);
  EXPECT_TRUE(marked->front().states[0].coarse);
  EXPECT_FALSE(marked->front().states[1].coarse);
  const auto matched = match_integrals(*problem, *marked, guessed(*problem, observed, ObservedNodes::smoothed, 1));
  ASSERT_TRUE(matched);
  EXPECT_NEAR(matched->unknowns.theta[0], 3, 0.1);
  EXPECT_NEAR(matched->unknowns.theta[1], 0.1, 0.002);
}

}  // namespace
}  // namespace salvo::start
