#include "uncertainty/derived.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "helpers/problems.hpp"
#include "uncertainty/derived_quantities.hpp"

namespace salvo::uncertainty {
namespace {

// a is positive by its scale, b by its bounds, c may have either sign, d is a constant; the second experiment sets d.
model::Problem problem_with(const std::string& formula) {
  test::Builder builder(test::Equations{{"x", "-a*x"}});
  builder.parameter("a", test::estimated(1, model::Scale::log)).parameter("b", test::within(1, 0, 5));
  builder.parameter("c", test::estimated(1)).parameter("d", 2.0).observable("seen", "x", "0.1");
  builder.experiment("one", {test::estimated(1)}).experiment("two", {test::estimated(1)}, {{3, "5"}});
  builder.measure(0, 0, 1, 0.5).measure(1, 0, 1, 0.5);
  model::Problem problem = builder.build();
  problem.states[0].initial = problem.graph.symbol("initial_x");
  const auto parsed = expression::parse(problem.graph, formula);
  problem.derived.push_back({.id = "g", .formula = std::get<expression::Formula>(parsed).node});
  return problem;
}

TEST(DerivedQuantities, AreOneWhereAllExperimentsGiveTheSame) {
  const auto shared = derived_quantities(problem_with("a/b"));
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_EQ(shared[0].id, "g");
  EXPECT_TRUE(shared[0].is_same_everywhere);
  for (const char* formula : {"a*d", "initial_x/a"}) {
    const auto own = derived_quantities(problem_with(formula));
    ASSERT_EQ(own.size(), 2u) << formula;
    EXPECT_EQ(own[1].id, "two:g");
    EXPECT_EQ(own[1].experiment, 1);
  }
}

TEST(DerivedQuantities, AreOfExperimentsThatHaveData) {
  model::Problem problem = problem_with("a*d");
  problem.measurements.pop_back();
  EXPECT_EQ(derived_quantities(problem).size(), 1u);
  problem.measurements.clear();
  EXPECT_TRUE(derived_quantities(problem).empty());
}

// Of an initial value the state at the start is seen, before doses of the same time.
TEST(DerivedQuantities, AreSeenAtTheStart) {
  model::Problem problem = problem_with("initial_x/a");
  add_datum_of(derived_quantities(problem)[1], problem);
  EXPECT_EQ(problem.measurements.back().experiment, 1);
  EXPECT_TRUE(problem.measurements.back().before_events);
  const auto symbols = expression::symbols_of(problem.graph, {&problem.observables.back().formula, 1});
  EXPECT_NE(std::find(symbols.begin(), symbols.end(), problem.states[0].symbol), symbols.end());
  EXPECT_EQ(std::find(symbols.begin(), symbols.end(), problem.states[0].initial), symbols.end());
}

TEST(DerivedQuantities, KeepTheirSignWhereAllTheyAreMadeOfDoes) {
  const auto is_kept = [](const char* formula) {
    const model::Problem problem = problem_with(formula);
    return is_positive(problem, problem.derived[0].formula);
  };
  for (const char* positive : {"a", "ln(2)/a", "a*b + d", "sqrt(a)", "exp(c)", "a^c"})
    EXPECT_TRUE(is_kept(positive)) << positive;
  for (const char* open : {"c", "a - b", "ln(a)", "a*c", "-a", "initial_x"}) EXPECT_FALSE(is_kept(open)) << open;
}

// What a parameter is where nobody uses it does not matter: covariates are set in every experiment.
TEST(DerivedQuantities, HaveTheSignsThatExperimentsSet) {
  model::Problem problem = problem_with("d/a");
  problem.parameters[3].value = 0.0;
  EXPECT_FALSE(is_positive(problem, problem.derived[0].formula));
  problem.experiments[0].overrides.emplace_back(3, problem.graph.constant(4));
  EXPECT_TRUE(is_positive(problem, problem.derived[0].formula));
  problem.experiments[1].overrides[0].second = problem.graph.constant(-4);
  EXPECT_FALSE(is_positive(problem, problem.derived[0].formula));
}

TEST(DerivedQuantities, HaveIntervalsOfTheirLogarithmWhereTheyArePositive) {
  const statistics::Spread known{.variance = 0.04, .degrees = std::numeric_limits<double>::infinity()};
  const auto plain = wald_of_derived(false, 2, known);
  EXPECT_NEAR(plain.first, 2 - 0.2 * 1.959964, 1e-6);
  const auto positive = wald_of_derived(true, 2, known);
  EXPECT_NEAR(positive.first, 2 * std::exp(-0.1 * 1.959964), 1e-6);
  EXPECT_NEAR(positive.first * positive.second, 4, 1e-12);
}

}  // namespace
}  // namespace salvo::uncertainty
