#include "solve/method/gauss_newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "rate_chain.hpp"

// Every way on and every end of a run on nodes: what leads from one kind of step to another, and what ends it.
namespace salvo::solve {
namespace {

using test::RateChain;
using test::Residuals;

const std::vector<double> decaying{2.1, 1.4, 0.7, 0.55, 0.2, 0.25};

std::set<std::string> rules_of(const SolveResult& result) {
  std::set<std::string> rules;
  for (const Iteration& row : result.trace) rules.insert(row.rule);
  return rules;
}
std::set<std::string> phases_of(const SolveResult& result) {
  std::set<std::string> phases;
  for (const Iteration& row : result.trace) phases.insert(row.phase);
  return phases;
}

// Rosenbrock's function as rows of theta: from (-1.2, 1) the full step leads far up, and so does half of it.
Residuals bent_valley(const nlp::Point& theta) {
  return {{10 * (theta[1] - theta[0] * theta[0]), 1 - theta[0]}, {{-20 * theta[0], 10}, {-1, 0}}, {}};
}

bool differs(const nlp::Point& a, const nlp::Point& b) { return a != b; }

TEST(NodeSteps, AreFullWhereTheLinearisationHolds) {
  const RateChain problem(1, decaying);
  const SolveResult result = gauss_newton(problem, problem.on_data({0.5}), {}, {});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_EQ(rules_of(result), (std::set<std::string>{"start", "full"}));
}

TEST(NodeSteps, AreChargedForGapsWhereAFullStepCannotBeEvaluated) {
  RateChain problem(1, decaying);
  problem.without_values_where([](const nlp::Point& q) { return q[0] < 0.3; });
  const SolveResult result = gauss_newton(problem, problem.on_data({3}), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  ASSERT_GE(result.trace.size(), 2u);
  EXPECT_EQ(result.trace[1].rule, "penalty");
  EXPECT_LE(result.gap, 1e-8);
}

TEST(NodeSteps, AreChargedForGapsWhereAFullStepWouldLeap) {
  RateChain problem(1, decaying);
  problem.layout().reach_down = {0.2};
  problem.layout().reach_up = {0.2};
  const SolveResult result = gauss_newton(problem, problem.on_data({3}), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  ASSERT_GE(result.trace.size(), 2u);
  EXPECT_EQ(result.trace[1].rule, "penalty");
}

TEST(NodeSteps, AreDampedAlongTrajectoriesThatAreJoined) {
  RateChain problem(2, {0, 0, 0});  // the states stay at 0, whatever the rates
  problem.with_rows(bent_valley);
  const SolveResult result = gauss_newton(problem, problem.on_trajectory({-1.2, 1}, 0), {}, {});
  ASSERT_GE(result.trace.size(), 2u);
  EXPECT_EQ(result.trace[1].rule, "damped");
  EXPECT_EQ(result.ended, Ended::tolerance) << result.trouble;
}

TEST(NodeSteps, AreFrozenAtTheEndWhereThereAreManyUnknowns) {
  std::vector<double> data;
  for (int j = 0; j < 41; ++j) data.push_back(2 + std::sin(j));
  const RateChain problem(20, data);
  const SolveResult result = gauss_newton(problem, problem.on_data(nlp::Point(20, 0.1)), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  EXPECT_EQ(result.trace.back().rule, "frozen");
  EXPECT_EQ(result.trace.back().phase, "close");
  // The same end without them.
  SolveOptions plain;
  plain.tolerance = 1e-8;
  const SolveResult again = gauss_newton(problem, result.q, plain, {});
  EXPECT_NEAR(again.objective, result.objective, 1e-12 * result.objective);
}

TEST(NodeSteps, AreRoughUntilTheyAreShort) {
  const RateChain problem(1, decaying);
  SolveOptions options;
  options.search_accuracy = 1e-4;
  options.search_iterations = 50;
  const SolveResult result = gauss_newton(problem, problem.on_data({0.5}), options, {});
  ASSERT_EQ(result.ended, Ended::tolerance);
  EXPECT_EQ(problem.accuracies().front(), 1e-4);
  EXPECT_EQ(problem.accuracies().back(), 0);
  EXPECT_TRUE(std::is_sorted(problem.accuracies().rbegin(), problem.accuracies().rend()));
  EXPECT_EQ(phases_of(result), (std::set<std::string>{"search", "join"}));
}

TEST(NodeSteps, AreRoughForSoManyIterationsAtMost) {
  const RateChain problem(1, decaying);
  SolveOptions options;
  options.search_accuracy = 1e-4;
  options.search_iterations = 1;
  const SolveResult result = gauss_newton(problem, problem.on_data({3}), options, {});
  ASSERT_EQ(result.ended, Ended::tolerance);
  for (const Iteration& row : result.trace) EXPECT_EQ(row.phase, row.iteration <= 1 ? "search" : "join");
}

TEST(NodeSteps, BeginAgainPreciselyWhereARoughStartMayBeTheEnd) {
  const RateChain problem(1, decaying);
  const nlp::Point best = gauss_newton(problem, problem.on_data({0.5}), {}, {}).q;
  const RateChain again(1, decaying);
  SolveOptions options;
  options.search_accuracy = 1e-4;
  options.search_iterations = 50;
  const SolveResult result = gauss_newton(again, best, options, {});
  EXPECT_EQ(result.ended, Ended::tolerance);
  ASSERT_GE(again.accuracies().size(), 2u);
  EXPECT_EQ(again.accuracies()[0], 1e-4);
  EXPECT_EQ(again.accuracies()[1], 0);
}

TEST(NodeRuns, EndAtOnceWhereAStartIsJoinedAndNoMoreIsAskedFor) {
  const RateChain problem(1, decaying);
  const nlp::Point best = gauss_newton(problem, problem.on_data({0.5}), {}, {}).q;
  SolveOptions options;
  options.stop_when_joined = true;
  const SolveResult result = gauss_newton(problem, best, options, {});
  EXPECT_EQ(result.ended, Ended::joined);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_FALSE(result.linearized.chains.empty());
}

TEST(NodeRuns, EndAsSoonAsTheyAreJoinedIfNoMoreIsAskedFor) {
  const RateChain problem(1, decaying);
  SolveOptions options;
  options.stop_when_joined = true;
  const SolveResult result = gauss_newton(problem, problem.on_data({0.5}), options, {});
  EXPECT_EQ(result.ended, Ended::joined);
  EXPECT_LE(result.gap, GapRules{}.nearly_joined);
  EXPECT_GT(result.gap, 1e-8);
  EXPECT_FALSE(result.linearized.chains.empty());
}

// Every iteration is charged with one operation.
TEST(NodeRuns, EndWhereTheirWorkIsSpent) {
  const RateChain problem(1, decaying);
  Ledger ledger(10);
  const RunContext context{.listener = [&ledger](const Event&) { ledger.charge(1); }, .share = {&ledger, 3}};
  const SolveResult result = gauss_newton(problem, problem.on_data({3}), {}, context);
  EXPECT_EQ(result.ended, Ended::budget);
  EXPECT_EQ(result.iterations, 2);
}

// The last steps of a run that contracts are not worth saving.
TEST(NodeRuns, FinishOnCreditWhileTheyContract) {
  std::vector<double> exact;
  for (int j = 0; j < 6; ++j) exact.push_back(2 * std::exp(-0.4 * j));
  const RateChain problem(1, exact);
  const SolveResult free = gauss_newton(problem, problem.on_data({0.3}), {}, {});
  ASSERT_EQ(free.ended, Ended::tolerance);
  ASSERT_GE(free.iterations, 4);
  for (const int until : {1, 3}) {
    Ledger spent(10);
    const RunContext context{.listener = [&spent](const Event&) { spent.charge(1); },
                             .share = {&spent, static_cast<double>(until)}};
    const SolveResult result = gauss_newton(problem, problem.on_data({0.3}), {}, context);
    EXPECT_EQ(result.ended, until == 1 ? Ended::budget : Ended::tolerance);
    EXPECT_EQ(result.iterations, until == 1 ? 0 : free.iterations);
  }
}

TEST(NodeRuns, AreNotFeasibleIfNothingLeadsOnFromOpenGaps) {
  RateChain problem(1, decaying);
  const nlp::Point start = problem.on_data({0.5});
  problem.without_values_where([start](const nlp::Point& q) { return differs(q, start); });
  const SolveResult result = gauss_newton(problem, start, {}, {});
  EXPECT_EQ(result.ended, Ended::no_step);
  EXPECT_EQ(result.trouble, "no values here");
  EXPECT_EQ(result.q, start);
}

TEST(NodeRuns, StallIfNothingLeadsOnFromJoinedTrajectories) {
  RateChain problem(1, decaying);
  const nlp::Point start = problem.on_trajectory({0.7}, 2);
  problem.without_values_where([start](const nlp::Point& q) { return differs(q, start); });
  const SolveResult result = gauss_newton(problem, start, {}, {});
  EXPECT_EQ(result.ended, Ended::no_step);
  EXPECT_EQ(result.trouble, "no values here");
  EXPECT_EQ(result.q, start);
}

TEST(NodeRuns, ConvergeIfNothingLeadsOnAndNothingIsToBeGained) {
  RateChain problem(1, decaying);
  const nlp::Point best = gauss_newton(problem, problem.on_data({0.5}), {}, {}).q;
  const nlp::Point start = problem.on_trajectory({best[0] + 1e-4}, best[1]);
  problem.without_values_where([start](const nlp::Point& q) { return differs(q, start); });
  const SolveResult result = gauss_newton(problem, start, {}, {});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_EQ(result.q, start);
  EXPECT_LT(result.promised, 1e-4);
}

TEST(NodeRuns, FailWhereAStepHasValuesButNoDerivatives) {
  RateChain problem(1, decaying);
  const nlp::Point start = problem.on_data({0.5});
  problem.without_derivatives_where([start](const nlp::Point& q) { return differs(q, start); });
  const SolveResult result = gauss_newton(problem, start, {}, {});
  EXPECT_EQ(result.ended, Ended::not_computable);
  EXPECT_EQ(result.trouble, "no derivatives here");
  EXPECT_EQ(result.q, start);
}

TEST(NodeRuns, FailWhereAPreciseEvaluationFailsAfterTheSearch) {
  RateChain problem(1, decaying);
  problem.without_derivatives_where([&problem](const nlp::Point&) { return problem.accuracies().back() == 0; });
  SolveOptions options;
  options.search_accuracy = 1e-4;
  options.search_iterations = 1;
  const SolveResult result = gauss_newton(problem, problem.on_data({3}), options, {});
  EXPECT_EQ(result.ended, Ended::not_computable);
}

TEST(NodeRuns, NameConstraintsThatContradictEachOther) {
  RateChain problem(1, decaying);
  problem.with_equality(0.4).with_equality(0.6);
  const SolveResult result = gauss_newton(problem, problem.on_data({0.5}), {}, {});
  EXPECT_EQ(result.ended, Ended::conflict);
  EXPECT_EQ(result.conflict.rows.size(), 2u);
}

TEST(NodeRuns, MeetAConstraint) {
  RateChain problem(1, decaying);
  problem.with_equality(0.4);
  const SolveResult result = gauss_newton(problem, problem.on_data({0.9}), {}, {});
  EXPECT_EQ(result.ended, Ended::tolerance) << result.trouble;
  EXPECT_NEAR(result.q[0], 0.4, 1e-9);
}

}  // namespace
}  // namespace salvo::solve
