#include "model/delays.hpp"

#include <gtest/gtest.h>

#include "helpers/problems.hpp"
#include "model/digest.hpp"
#include "model/faults.hpp"
#include "model/range.hpp"

namespace salvo::model {
namespace {

Problem hutchinson(const std::variant<double, Estimated>& tau = test::within(1.5, 0.1, 10),
                   const std::string& by = "tau") {
  test::Builder builder(test::Equations{{"N", "r*N*(1 - delay(N, " + by + ")/K)"}, {"y", "N - y"}});
  builder.parameter("r", 1.2).parameter("K", 10.0).parameter("tau", tau).observable("seen", "N", "0.5");
  builder.experiment("one", {std::string("2"), std::string("0")}).measure(0, 0, 1, 5.0);
  return builder.build();
}

TEST(Delays, AreFoundWithTheStatesThatTheyLookAt) {
  EXPECT_EQ(delays_of(hutchinson()).size(), 1u);
  EXPECT_EQ(delayed_states(hutchinson()), std::vector<int>{0});
  test::Builder without(test::Equations{{"x", "-x"}});
  without.observable("seen", "x", "0.1").experiment("one", {std::string("1")});
  EXPECT_FALSE(has_delays(without.build()));
}

TEST(Delays, AreKeptAboveZeroByTheirBounds) {
  EXPECT_TRUE(delay_faults(hutchinson()).empty());
  const auto free = delay_faults(hutchinson(test::estimated(1.5)));
  ASSERT_EQ(free.size(), 1u);
  EXPECT_NE(free[0].hint.find("tau: {guess: 1.5, bounds: [0.15, 15]}"), std::string::npos) << free[0].hint;
  EXPECT_EQ(delay_faults(hutchinson(0.0)).front().message, "the delay tau is 0");
  EXPECT_EQ(delay_faults(hutchinson(test::within(1.5, 0.1, 10), "tau - 0.1")).size(), 1u);
  EXPECT_TRUE(delay_faults(hutchinson(test::estimated(1.5), "exp(tau) + 1")).empty());
}

TEST(Delays, OnALogarithmicScaleNeedABoundToo) {
  EXPECT_EQ(delay_faults(hutchinson(test::estimated(1.5, Scale::log))).size(), 1u);
}

TEST(Delays, ThatAnExperimentSetsAreLookedAt) {
  Problem problem = hutchinson();
  problem.experiments[0].overrides.push_back({2, problem.graph.constant(-1)});
  EXPECT_EQ(delay_faults(problem).front().message, "the delay tau is -1");
  EXPECT_EQ(faults(problem).size(), 1u);
}

TEST(Delays, AndHistoriesBelongToTheModel) {
  Problem other = hutchinson();
  other.states[0].history = other.graph.constant(3);
  EXPECT_NE(model_digest(other), model_digest(hutchinson()));
  EXPECT_EQ(model_digest(hutchinson()), model_digest(hutchinson()));
  other.states[0].history = other.graph.size();
  EXPECT_EQ(faults(other).size(), 1u);
}

TEST(Range, HoldsEveryValueOfAFormula) {
  test::Builder builder(test::Equations{{"x", "-x"}});
  builder.parameter("a", test::within(1, 0.5, 2)).parameter("b", test::within(0, -1, 3)).parameter("c", 4.0);
  builder.observable("seen", "x", "0.1").experiment("one", {std::string("1")});
  Problem problem = builder.build();
  for (const std::string text : {"a + b", "a - b", "a*b", "b/a", "-a", "a^b", "exp(b)", "sqrt(a)", "min(a, b)",
                                 "max(a, c)", "c*a - b*b", "sin(a)", "log10(a)", "a/b"}) {
    const NodeId node = std::get<expression::Formula>(expression::parse(problem.graph, text)).node;
    const Range range = range_of(problem, problem.experiments[0], node);
    for (double a = 0.5; a <= 2; a += 0.25)
      for (double b = -1; b <= 3; b += 0.5) {
        const auto number = [&](double value) { return problem.graph.constant(value); };
        const std::vector<NodeId> from{problem.parameters[0].symbol, problem.parameters[1].symbol,
                                       problem.parameters[2].symbol};
        const std::vector<NodeId> to{number(a), number(b), number(4)};
        const NodeId at = expression::substitute(problem.graph, {&node, 1}, from, to)[0];
        const double value = problem.graph[at].value;
        EXPECT_LE(range.lower, value + 1e-12) << text;
        EXPECT_GE(range.upper, value - 1e-12) << text;
      }
  }
  const NodeId product = std::get<expression::Formula>(expression::parse(problem.graph, "a*b")).node;
  EXPECT_EQ(range_of(problem, problem.experiments[0], product).lower, -2);
  EXPECT_EQ(range_of(problem, problem.experiments[0], product).upper, 6);
}

}  // namespace
}  // namespace salvo::model
