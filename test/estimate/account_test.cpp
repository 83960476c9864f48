#include <algorithm>
#include <cmath>

#include "estimate/estimate.hpp"
#include "estimate/options.hpp"
#include "estimate/rules.hpp"
#include "estimate/workspace.hpp"
#include "laid_out.hpp"

// One account for a fit, of which every way has its share.
namespace salvo::estimate {
namespace {

std::vector<std::string> names_of_tried(const Estimation& estimation) {
  std::vector<std::string> out;
  for (const TriedWay& tried : estimation.tried) out.emplace_back(tried.way->name);
  return out;
}
using Names = std::vector<std::string>;

TEST(Account, OfShortDataIsWhatTheRulesSayTimesTheEffort) {
  const model::Problem problem = test::seen_decay();
  EXPECT_EQ(Workspace(problem, {}).ledger().allowed(), AccountRules{}.operations);
  EXPECT_EQ(Workspace(problem, {.effort = 0.25}).ledger().allowed(), 0.25 * AccountRules{}.operations);
}

// Data ten times as long pay for evaluations that are ten times as long.
TEST(Account, OfLongDataPaysForSoManyEvaluationsOfThem) {
  Options options;
  options.rules.account.operations = 0;
  const model::Problem once = test::seen_decay();
  model::Problem tenfold = once;
  for (int n = 1; n < 10; ++n)
    tenfold.measurements.insert(tenfold.measurements.end(), once.measurements.begin(), once.measurements.end());
  const double account = Workspace(once, options).ledger().allowed();
  EXPECT_GT(account, 0);
  EXPECT_DOUBLE_EQ(Workspace(tenfold, options).ledger().allowed(), 10 * account);
}

TEST(Account, IsChargedWithEveryEvaluation) {
  const test::LaidOut laid(test::seen_decay());
  const double before = laid.workspace.ledger().spent();
  nlp::Blocks blocks;
  ASSERT_TRUE(laid.setup.shooting->values(laid.setup.start, blocks).ok);
  const double one = laid.workspace.ledger().spent() - before;
  EXPECT_GT(one, 0);
  ASSERT_TRUE(laid.setup.shooting->values(laid.setup.start, blocks).ok);
  EXPECT_EQ(laid.workspace.ledger().spent(), before + 2 * one);
}

TEST(Account, NodesThatFindTheAnswerAreTheOnlyWayButForItsMirrorImages) {
  const test::Estimated fit(test::seen_decay());
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_EQ(names_of_tried(fit.estimation), (Names{"nodes", "mirror"}));
}

// Nodes whose share is nothing do not get far; what they have left is enough for one trajectory.
TEST(Account, NodesThatHaveTakenTheirShareLeaveTheRestToOtherWays) {
  const Strategy strategy{{"a test", {}, {{.way = &nodes, .until = 1e-12}, {.way = &trajectory}}}};
  const test::Estimated fit(test::seen_decay(), {}, strategy);
  EXPECT_EQ(names_of_tried(fit.estimation), (Names{"nodes", "trajectory"}));
  EXPECT_FALSE(fit.estimation.tried[0].is_proved);
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_EQ(fit.answer().way, "trajectory");
  EXPECT_NEAR(fit.value("k"), 0.7, 1e-6);
}

// The only way there is has next to nothing to spend; the account has.
TEST(Account, WhatLiesLowestAndWasCutByItsShareGoesOnWithWhatIsLeft) {
  const Strategy strategy{{"a test", {}, {{.way = &trajectory, .until = 1e-12}}}};
  const test::Estimated fit(test::seen_decay(), {}, strategy);
  EXPECT_TRUE(is_proved(fit.answer())) << fit.answer().trouble;
  EXPECT_NEAR(fit.value("k"), 0.7, 1e-6);
}

TEST(Account, NothingElseIsBegunOnceItIsSpent) {
  const test::Estimated fit(test::seen_decay(), {.effort = 1e-12});
  EXPECT_EQ(fit.estimation.tried.size(), 1U);
  EXPECT_FALSE(is_proved(fit.answer()));
  EXPECT_EQ(fit.answer().run.ended, solve::Ended::budget);
}

// A way that fails before its first step has spent next to nothing.
std::vector<Found> fail_at_once(const WayTask&) {
  std::vector<Found> out(1);
  out.front().answer.way = "failing";
  return out;
}
const Way failing{.name = "failing", .says = "nothing", .run = fail_at_once};

TEST(Account, AWayThatFailsAtOnceLeavesItsShareToTheOthers) {
  const Strategy alone{{"a test", {}, {{.way = &trajectory, .until = 0.5}}}};
  const Strategy after{{"a test", {}, {{.way = &failing, .until = 0.5}, {.way = &trajectory, .until = 0.5}}}};
  const test::Estimated first(test::seen_decay(), {}, alone);
  const test::Estimated second(test::seen_decay(), {}, after);
  EXPECT_EQ(names_of_tried(second.estimation), (Names{"failing", "trajectory"}));
  EXPECT_TRUE(is_proved(second.answer()));
  EXPECT_EQ(first.answer().estimates, second.answer().estimates);
  EXPECT_EQ(first.estimation.workspace->ledger().spent(), second.estimation.workspace->ledger().spent());
}

// A way that finds nothing, and keeps the share that it was given.
struct Given {
  double spent = 0;
  double until = 0;
} given;
std::vector<Found> note_share(const WayTask& task) {
  given = {task.workspace.ledger().spent(), task.context.share.until};
  return fail_at_once(task);
}
const Way noting{.name = "noting", .says = "nothing", .run = note_share};

TEST(Account, WhileTheBestWasCutByItsShareAFurtherWayHasHalfOfWhatIsLeft) {
  const Strategy strategy{{"a test", {}, {{.way = &trajectory, .until = 1e-12}, {.way = &noting}}}};
  const test::Estimated fit(test::seen_decay(), {}, strategy);
  EXPECT_EQ(given.until, 0.5 * (given.spent + AccountRules{}.operations));
  EXPECT_TRUE(is_proved(fit.answer())) << fit.answer().trouble;
}

// Residuals that follow each other, and a noise that is estimated: the answer is proved and leaves doubt.
TEST(Account, DoubtIsPursuedForAsMuchAsTheAnswerHasCost) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).parameter("sigma", test::estimated(0.1)).observable("y", "x", "sigma");
  builder.experiment(model::default_experiment, {test::estimated(2)});
  for (int j = 0; j <= 30; ++j) builder.measure(0, 0, 0.1 * j, 3 * std::exp(-0.07 * j) + 0.1 * std::sin(0.4 * j));
  const Strategy strategy{{"a test", {}, {{.way = &trajectory}, {.way = &noting}}}};
  for (const double look : {1e-12, 0.5}) {
    Options options;
    options.rules.account.look = look;
    const test::Estimated fit(builder.build(), options, strategy);
    ASSERT_EQ(names_of_tried(fit.estimation), (Names{"trajectory", "noting"}));
    EXPECT_EQ(given.until, given.spent + std::max(given.spent, look * AccountRules{}.operations));
  }
}

// A share that is spent with the first look at a few points ends the search, and not what it has found.
TEST(Account, WhatIsFoundByLookingAroundIsFollowedAtTheCostOfTheWhole) {
  const Strategy strategy{{"a test", {}, {{.way = &failing}, {.way = &search, .most = 1e-9}}}};
  const test::Estimated fit(test::seen_decay(), {}, strategy);
  EXPECT_EQ(fit.answer().way, "search");
  EXPECT_TRUE(is_proved(fit.answer())) << fit.answer().trouble;
  EXPECT_NEAR(fit.value("k"), 0.7, 1e-6);
}

TEST(Account, TheSameFitSpendsTheSameWithAnyNumberOfThreads) {
  const test::Estimated one(test::predator_prey(), {.threads = 1});
  const test::Estimated three(test::predator_prey(), {.threads = 3});
  EXPECT_EQ(one.estimation.workspace->ledger().spent(), three.estimation.workspace->ledger().spent());
  EXPECT_EQ(one.answer().estimates, three.answer().estimates);
}

}  // namespace
}  // namespace salvo::estimate
