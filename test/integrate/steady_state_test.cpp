#include "integrate/steady_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "helpers/problems.hpp"

namespace salvo::integrate {
namespace {

using test::Builder;
using test::estimated;

std::shared_ptr<const compile::CompiledModel> model_of(const test::Equations& equations,
                                                       const std::vector<std::string>& parameters) {
  Builder builder(equations);
  for (const std::string& id : parameters) builder.parameter(id, estimated(1));
  std::vector<std::variant<std::string, model::Estimated>> initial(equations.size(), std::string("0"));
  return compile::compile(builder.experiment("default", initial).build());
}

using Numbers = std::vector<double>;

// Derivatives against central differences of the values.
void expect_derivatives(const compile::CompiledModel& model, const Numbers& x0, const Numbers& p, double tolerance) {
  const SteadyState state = steady_state(model, x0, p, true);
  ASSERT_TRUE(state.is_found);
  const auto difference = [&](Numbers a, Numbers b, const std::function<void(Numbers&, Numbers&, double)>& move,
                              int i) {
    const double h = 1e-5;
    Numbers a_less = a;
    Numbers b_less = b;
    move(a, b, h);
    move(a_less, b_less, -h);
    return (steady_state(model, a, b, false).x[i] - steady_state(model, a_less, b_less, false).x[i]) / (2 * h);
  };
  for (int i = 0; i < model.states; ++i) {
    for (int k = 0; k < model.states; ++k)
      EXPECT_NEAR(state.by_x0(i, k),
                  difference(
                      x0, p, [k](Numbers& x, Numbers&, double h) { x[k] += h; }, i),
                  tolerance)
          << "state " << i << " by x0 " << k;
    for (int k = 0; k < model.active; ++k)
      EXPECT_NEAR(state.by_p(i, k),
                  difference(
                      x0, p, [k](Numbers&, Numbers& q, double h) { q[k] += h; }, i),
                  tolerance)
          << "state " << i << " by p " << k;
  }
}

// Two kinases that are switched on and off: a + a' and b + b' are conserved. a'/a = k1 b'/k2 and b'/b = k3/k4.
const test::Equations two_moieties{{"a", "-k1*b_on*a + k2*a_on"},
                                   {"a_on", "k1*b_on*a - k2*a_on"},
                                   {"b", "-k3*b + k4*b_on"},
                                   {"b_on", "k3*b - k4*b_on"}};

TEST(SteadyState, HasTwoConservedMoieties) {
  const auto model = model_of(two_moieties, {"k1", "k2", "k3", "k4"});
  const Numbers x0{2, 0.5, 1, 0};
  const Numbers p{0.7, 0.3, 1e-3, 2e-3};
  const SteadyState state = steady_state(*model, x0, p, false);
  ASSERT_TRUE(state.is_found);
  const double b_on = 1.0 / 3;
  const double a_on = 2.5 * 0.7 * b_on / (0.7 * b_on + 0.3);
  EXPECT_NEAR(state.x[0], 2.5 - a_on, 1e-10);
  EXPECT_NEAR(state.x[1], a_on, 1e-10);
  EXPECT_NEAR(state.x[2], 2.0 / 3, 1e-10);
  EXPECT_NEAR(state.x[3], b_on, 1e-10);
  expect_derivatives(*model, x0, {0.7, 0.3, 0.4, 0.9}, 1e-7);
}

TEST(SteadyState, KnowsThatVolumesMayBeParameters) {
  const auto model = model_of({{"x", "-k*(x - y)/V"}, {"y", "k*(x - y)/W"}}, {"k", "V", "W"});
  const Numbers x0{1, 0};
  const Numbers p{0.5, 2, 3};
  const SteadyState state = steady_state(*model, x0, p, false);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 0.4, 1e-12);  // V x + W y is conserved
  EXPECT_NEAR(state.x[1], 0.4, 1e-12);
  expect_derivatives(*model, x0, p, 1e-7);
}

TEST(SteadyState, IsTheOneThatTheTrajectoryReaches) {
  const auto model = model_of({{"x", "x*(1 - x)*(x - c)"}}, {"c"});  // 0 and 1 attract, c repels
  EXPECT_NEAR(steady_state(*model, Numbers{0.39}, Numbers{0.4}, false).x[0], 0, 1e-10);
  EXPECT_NEAR(steady_state(*model, Numbers{0.41}, Numbers{0.4}, false).x[0], 1, 1e-10);
}

TEST(SteadyState, IsReachedThroughVeryDifferentTimes) {
  const auto model = model_of({{"x", "k*(y - x)"}, {"y", "c*(1 - y)"}}, {"k", "c"});
  const Numbers p{1e6, 1e-5};
  const SteadyState state = steady_state(*model, Numbers{3, 0}, p, true);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 1, 1e-10);
  EXPECT_NEAR(state.x[1], 1, 1e-10);
}

// y collects what x loses, but by a rate that x itself decides: rest is a line, and where on it depends on the way.
// What is fast has settled after 1e-5, what is slow takes 1e7 times as long: twelve pieces, each four times as
// long as the one before, led there.
TEST(SteadyState, IsFollowedForItsSlowestTimeAtOnce) {
  const auto model = model_of({{"fast", "f*(slow - fast)"}, {"slow", "s*(3 - slow)"}}, {"f", "s"});
  const SteadyState state = steady_state(*model, Numbers{0, 1}, Numbers{1e5, 1e-2}, false);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 3, 1e-12);
  EXPECT_NEAR(state.x[1], 3, 1e-12);
  EXPECT_LT(state.evaluations, 300);
}

TEST(SteadyState, OfAWholeLineDependsOnTheWay) {
  const auto model = model_of({{"x", "-k*x"}, {"y", "-c*x*y"}}, {"k", "c"});
  const Numbers x0{1.5, 2};
  const Numbers p{0.8, 0.5};
  const SteadyState state = steady_state(*model, x0, p, false);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 0, 1e-9);
  EXPECT_NEAR(state.x[1], 2 * std::exp(-0.5 * 1.5 / 0.8), 1e-8);
  expect_derivatives(*model, x0, p, 1e-5);
}

TEST(SteadyState, DoesNotExistForAnOscillator) {
  const auto model = model_of({{"rest", "1 - rest"}, {"x", "y"}, {"y", "m*(1 - x^2)*y - x"}}, {"m"});
  const SteadyState state = steady_state(*model, Numbers{0, 0.1, 0}, Numbers{1}, true);
  EXPECT_FALSE(state.is_found);
  EXPECT_NE(state.moving, 0);
  const std::vector<std::string> names{"rest", "x", "y"};
  EXPECT_EQ(describe(state, names), "there is no steady state: " + names[state.moving] + " still moves");
}

// Twenty turns about a point that repels say as much as thousands.
TEST(SteadyState, AnOscillatorIsSoonGivenUp) {
  const auto around_a_source = model_of({{"x", "y"}, {"y", "m*(1 - x^2)*y - x"}}, {"m"});
  const auto around_a_centre = model_of({{"x", "m*x - x*y"}, {"y", "x*y - y"}}, {"m"});
  for (const auto& model : {around_a_source, around_a_centre}) {
    const SteadyState state = steady_state(*model, Numbers{0.5, 0.5}, Numbers{1}, true);
    EXPECT_FALSE(state.is_found);
    EXPECT_LT(state.evaluations, 20'000);
  }
}

// x'' = -x - 2 c x' loses a factor e in 1/(2 pi c) = 50 turns.
TEST(SteadyState, ExistsForAnOscillationThatIsHardlyDamped) {
  const auto model = model_of({{"x", "y"}, {"y", "k - x - 2*c*y"}}, {"k", "c"});
  const SteadyState state = steady_state(*model, Numbers{0, 0}, Numbers{3, 0.003}, true);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 3, 1e-10);
  EXPECT_NEAR(state.by_p(0, 0), 1, 1e-10);
}

TEST(SteadyState, DoesNotExistForWhatGrows) {
  const auto model = model_of({{"x", "k"}, {"y", "x - y"}}, {"k"});
  EXPECT_FALSE(steady_state(*model, Numbers{0, 0}, Numbers{1}, true).is_found);
  const auto fast = model_of({{"x", "k*x"}}, {"k"});
  EXPECT_FALSE(steady_state(*fast, Numbers{1}, Numbers{1}, true).is_found);
}

// Two branches, each with a steady state of its own: the one that holds where the trajectory comes to rest counts.
TEST(SteadyState, KnowsOnWhichSideOfAConditionItLies) {
  const auto model = model_of({{"x", "k + piecewise(2, x > 1.5, 0) - x"}, {"y", "max(x, 2) - y"}}, {"k"});
  Numbers p(model->parameters, 0.0);  // truth values stand behind k
  p[0] = 1;
  const SteadyState high = steady_state(*model, Numbers{1.6, 0}, p, true);
  ASSERT_TRUE(high.is_found);
  EXPECT_NEAR(high.x[0], 3, 1e-10);
  EXPECT_NEAR(high.x[1], 3, 1e-10);
  EXPECT_NEAR(high.by_p(1, 0), 1, 1e-10);
  const SteadyState low = steady_state(*model, Numbers{0, 0}, p, true);
  ASSERT_TRUE(low.is_found);
  EXPECT_NEAR(low.x[0], 1, 1e-10);
  EXPECT_NEAR(low.x[1], 2, 1e-10);
  EXPECT_NEAR(low.by_p(1, 0), 0, 1e-10);
}

TEST(SteadyState, MayBeWhereItBegins) {
  const auto model = model_of({{"x", "k*(1 - x)"}}, {"k"});
  const SteadyState state = steady_state(*model, Numbers{1}, Numbers{2}, true);
  ASSERT_TRUE(state.is_found);
  EXPECT_EQ(state.x[0], 1);
  EXPECT_NEAR(state.by_x0(0, 0), 0, 1e-12);
}

}  // namespace
}  // namespace salvo::integrate
