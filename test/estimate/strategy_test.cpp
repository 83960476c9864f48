#include "estimate/plan/strategy.hpp"

#include <fstream>
#include <sstream>

#include "estimate/plan/facts.hpp"
#include "estimate/plan/method_choice.hpp"
#include "estimate/plan/plan.hpp"
#include "estimate/ways/way.hpp"
#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

std::string page() {
  std::ifstream file(std::string(SALVO_SOURCE_DIR) + "/docs/what-fit-does.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Strategy, IsTheTableOfThePage) {
  const std::string table = to_markdown(strategy(Rules{}));
  EXPECT_NE(page().find(table), std::string::npos) << "docs/what-fit-does.md should show\n" << table;
}

TEST(Strategy, NamesOnlyWaysThatThePageExplains) {
  for (const StrategyRow& row : strategy(Rules{}))
    for (const StrategyStep& step : row.ways)
      EXPECT_NE(page().find("\n- **" + std::string(step.way->name) + "**"), std::string::npos) << step.way->name;
}

std::string situation(const std::vector<Fact>& facts) { return std::string(row_for(strategy(Rules{}), facts).name); }

// Each fact alone, and what outweighs what.
TEST(Strategy, TakesTheFirstRowWhoseFactsAllHold) {
  EXPECT_EQ(situation({}), "states hidden");
  EXPECT_EQ(situation({Fact::shown}), "states shown");
  EXPECT_EQ(situation({Fact::network}), "weights of a network");
  EXPECT_EQ(situation({Fact::other_method}), "another method");
  EXPECT_EQ(situation({Fact::constraints}), "constraints");
  EXPECT_EQ(situation({Fact::single}), "single shooting");
  EXPECT_EQ(situation({Fact::nodes_or_start}), "nodes as stated");
  EXPECT_EQ(situation({Fact::nothing_estimated}), "nothing to estimate");
  EXPECT_EQ(situation({Fact::guess}), "a stated guess");
  EXPECT_EQ(situation({Fact::draw}), "a drawn guess");
  EXPECT_EQ(situation({Fact::draw, Fact::shown}), "a drawn guess, states shown");
  EXPECT_EQ(situation({Fact::delays}), "earlier values");
  EXPECT_EQ(situation({Fact::fields}), "fields");
  EXPECT_EQ(situation({Fact::fields, Fact::shown, Fact::guess}), "fields");
  EXPECT_EQ(situation({Fact::fields, Fact::draw}), "fields, a drawn guess");
  EXPECT_EQ(situation({Fact::delays, Fact::shown, Fact::moving}), "earlier values");
  EXPECT_EQ(situation({Fact::delays, Fact::past_shown, Fact::shown}), "earlier values shown");
  EXPECT_EQ(situation({Fact::delays, Fact::past_shown, Fact::guess}), "earlier values shown, a stated guess");
  EXPECT_EQ(situation({Fact::delays, Fact::past_shown, Fact::draw}), "earlier values shown, a drawn guess");
  EXPECT_EQ(situation({Fact::delays, Fact::draw}), "earlier values, a drawn guess");
  EXPECT_EQ(situation({Fact::delays, Fact::single}), "single shooting");
  EXPECT_EQ(situation({Fact::moving}), "moving discontinuities");
  EXPECT_EQ(situation({Fact::moving, Fact::shown}), "moving discontinuities, states shown");
  EXPECT_EQ(situation({Fact::moving, Fact::shown, Fact::many_nodes}), "moving discontinuities, many nodes");
  EXPECT_EQ(situation({Fact::single, Fact::nodes_or_start, Fact::guess, Fact::shown}), "single shooting");
  EXPECT_EQ(situation({Fact::constraints, Fact::guess, Fact::shown}), "constraints");
  EXPECT_EQ(situation({Fact::guess, Fact::moving, Fact::shown}), "a stated guess");
}

std::vector<Fact> facts(const model::Problem& problem, const Options& options = {}) {
  return facts_of(Workspace(problem, options));
}
using Facts = std::vector<Fact>;

TEST(Facts, AreWhatTheUserSaid) {
  const model::Problem problem = test::seen_decay();
  EXPECT_EQ(facts(problem), Facts{Fact::shown});
  EXPECT_EQ(facts(problem, {.method = model::Method::scalar}), (Facts{Fact::other_method, Fact::shown}));
  EXPECT_EQ(facts(problem, {.method = model::Method::gauss_newton}), Facts{Fact::shown});
  EXPECT_EQ(facts(problem, {.nodes = model::SingleInterval{}}),
            (Facts{Fact::single, Fact::nodes_or_start, Fact::shown}));
  EXPECT_EQ(facts(problem, {.nodes = model::IntervalCount{3}}), (Facts{Fact::nodes_or_start, Fact::shown}));
  EXPECT_EQ(facts(problem, {.start = model::StartValues::simulate}), (Facts{Fact::nodes_or_start, Fact::shown}));
  EXPECT_EQ(facts(problem, {.guess = {{"k", 2}}}), (Facts{Fact::guess, Fact::shown}));
  EXPECT_EQ(facts(problem, {.guess = {{"k", 2}}, .guess_from = GuessFrom::draw}), (Facts{Fact::draw, Fact::shown}));
  EXPECT_EQ(facts(problem, {.guess = {{"k", 2}}, .guess_from = GuessFrom::file}), Facts{Fact::shown});
}

TEST(Facts, AStateIsShownByFourMeasurementsOfItAlone) {
  const auto decay = [](const std::string& formula, int measurements) {
    test::Builder builder({{"x", "-k*x"}, {"y", "k*x"}});
    builder.parameter("k", test::estimated(1)).observable("seen", formula, "0.1");
    builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
    for (int j = 1; j <= measurements; ++j) builder.measure(0, 0, j, 1);
    return builder.build();
  };
  EXPECT_EQ(facts(decay("2*x", 4)), Facts{Fact::shown});
  EXPECT_EQ(facts(decay("2*x", 3)), Facts{});
  EXPECT_EQ(facts(decay("x + y", 10)), Facts{});
}

TEST(Facts, ThereIsNothingToEstimateOrThereAreConstraintsOrEventsThatMove) {
  test::Builder known(test::Equations{{"x", "-x"}});
  known.observable("seen", "x + 1", "0.1").experiment(model::default_experiment, {std::string("1")});
  EXPECT_EQ(facts(known.measure(0, 0, 1, 1).build()), (Facts{Fact::nothing_estimated}));

  test::Builder bound = test::decay(test::estimated(1), std::string("1"));
  EXPECT_EQ(facts(bound.measure(0, 0, 1, 1).constraint("k", "<=", "2").build()), Facts{Fact::constraints});

  test::Builder dosed = test::decay(test::estimated(1), std::string("1"));
  dosed.parameter("when", test::estimated(0.5)).event_at({"when"}, {{0, "x + 1"}}).measure(0, 0, 1, 1);
  EXPECT_EQ(facts(dosed.build()), Facts{Fact::moving});
  test::Builder punctual = test::decay(test::estimated(1), std::string("1"));
  EXPECT_EQ(facts(punctual.event_at({"0.5"}, {{0, "x + 1"}}).measure(0, 0, 1, 1).build()), Facts{});
}

// Constraints are for the method that handles them; else operations decide.
TEST(MethodChoice, IsGaussNewtonForConstraintsAndFewNodes) {
  test::Builder bound = test::decay(test::estimated(1), std::string("1"));
  bound.measure(0, 0, 1, 1);
  const model::Problem free = bound.build();
  const model::Problem constrained = bound.constraint("k", "<=", "2").build();
  EXPECT_EQ(choose_method(free, *compile::compile(free), 1, {}).method, model::Method::gauss_newton);
  EXPECT_EQ(choose_method(constrained, *compile::compile(constrained), 1, {}).method, model::Method::gauss_newton);
  EXPECT_EQ(choose_method(constrained, *compile::compile(constrained), 1, {}).reason, "it handles constraints");
}

// A dense matrix of twenty thousand parameters is three gigabytes, and its factors take hours.
TEST(MethodChoice, IsNotGaussNewtonForFarMoreParametersThanData) {
  const auto chosen = [](int parameters, int data) {
    std::string sum = "-x";
    for (int i = 0; i < parameters; ++i) sum += " + k" + std::to_string(i);
    test::Builder builder({{"x", sum}});
    for (int i = 0; i < parameters; ++i) builder.parameter("k" + std::to_string(i), test::estimated(0.1));
    builder.observable("y", "x", "0.1").experiment("e", {std::string("1")});
    for (int i = 0; i < data; ++i) builder.measure(0, 0, 1 + i, 1);
    const model::Problem problem = builder.build();
    return choose_method(problem, *compile::compile(problem), 1, {}).method;
  };
  EXPECT_EQ(chosen(1000, 4), model::Method::lagrangian);
  EXPECT_EQ(chosen(100, 4), model::Method::gauss_newton);
}

Plan plan_of(const model::Problem& problem, const Options& options = {}) {
  return make_plan(Workspace(problem, options), strategy(options.rules));
}

TEST(Plan, IsTheSameForTheSameAndAnotherForAnother) {
  const model::Problem problem = test::seen_decay();
  EXPECT_EQ(plan_of(problem), plan_of(problem));
  EXPECT_EQ(plan_of(problem, {.threads = 3}), plan_of(problem));
  EXPECT_EQ(plan_of(problem, {.expected_reuse = 50}), plan_of(problem));  // which is about machine code alone
  EXPECT_NE(plan_of(problem, {.max_iterations = 200}), plan_of(problem));
  EXPECT_NE(plan_of(problem, {.guess = {{"k", 2}}}), plan_of(problem));
  EXPECT_NE(plan_of(problem, {.tolerance = 1e-6}), plan_of(problem));
}

TEST(Plan, PrintsALineForEveryWay) {
  EXPECT_EQ(
      to_string(plan_of(test::seen_decay())),
      "plan: states shown\n"
      "  nodes: gauss-newton, nodes auto, start auto, at most 200 iterations, until 50 % of the account\n"
      "  trajectory: gauss-newton, nodes single, start simulate, at most 200 iterations, until 100 % of the "
      "account\n"
      "  search: gauss-newton, nodes single, start simulate, at most 200 iterations, until 100 % of the account, "
      "1 % by itself\n"
      "  way back: gauss-newton, nodes single, start simulate, at most 200 iterations, until 100 % of the account, "
      "1 % by itself\n"
      "  mirror: gauss-newton, nodes single, start simulate, at most 200 iterations, until 100 % of the account, "
      "1 % by itself\n");
}

// Whoever states a number of iterations gets one way and what is seen from its end.
TEST(Plan, HasOneWayWhereIterationsAreStated) {
  const Plan plan = plan_of(test::seen_decay(), {.max_iterations = 7});
  ASSERT_EQ(plan.ways.size(), 3U);
  EXPECT_EQ(plan.ways[0].way, &nodes);
  EXPECT_EQ(plan.ways[0].discretisation.iterations, 7);
  EXPECT_EQ(plan.ways[1].way, &way_back);
  EXPECT_EQ(plan.ways[2].way, &mirror);
  EXPECT_TRUE(plan.iterations_are_stated);
}

// Many starts are each other's remedy for doubt, and find mirror images by themselves.
TEST(Plan, OfOneOfManyStartsPursuesNoDoubtAndLooksIntoNoMirror) {
  const Plan plan =
      plan_of(test::seen_decay(), {.guess = {{"k", 2}}, .guess_from = GuessFrom::draw, .is_one_of_many = true});
  EXPECT_FALSE(plan.pursues_doubt);
  EXPECT_FALSE(plan.pursues_misfit);
  for (const PlannedWay& planned : plan.ways) EXPECT_NE(planned.way, &mirror);
  EXPECT_TRUE(plan_of(test::seen_decay()).pursues_doubt);
  EXPECT_TRUE(plan_of(test::seen_decay()).pursues_misfit);
}

}  // namespace
}  // namespace salvo::estimate
