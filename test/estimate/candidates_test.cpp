#include "estimate/answer/candidates.hpp"

#include <filesystem>
#include <numbers>

#include "estimate/starts/guesses.hpp"
#include "estimate/starts/starts.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"
#include "formats/problem/read.hpp"
#include "laid_out.hpp"
#include "results/optima.hpp"

// Answers that fit as well as the best: which of them is told as the answer, and which others are told beside it.
namespace salvo::estimate {
namespace {

using Values = std::map<std::string, double>;

// e^(-2 t) + e^(-t/2): which rate is whose, the sum does not say.
model::Problem two_exponentials(double a, double b) {
  test::Builder builder({{"x", "-a*x"}, {"y", "-b*y"}});
  builder.parameter("a", test::within(a, 1e-3, 1e3, model::Scale::log));
  builder.parameter("b", test::within(b, 1e-3, 1e3, model::Scale::log));
  builder.observable("sum", "x + y", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("1")});
  for (int j = 1; j <= 12; ++j) builder.measure(0, 0, 0.4 * j, std::exp(-2 * 0.4 * j) + std::exp(-0.5 * 0.4 * j));
  return builder.build();
}

TEST(Candidates, ExchangedRatesAreToldAndTheNearerToTheGuessIsTheAnswer) {
  for (const bool a_is_fast : {true, false}) {
    const test::Estimated fit(two_exponentials(a_is_fast ? 3 : 0.4, a_is_fast ? 0.4 : 3));
    EXPECT_TRUE(is_proved(fit.answer()));
    EXPECT_NEAR(fit.value("a"), a_is_fast ? 2 : 0.5, 1e-5);
    EXPECT_NEAR(fit.value("b"), a_is_fast ? 0.5 : 2, 1e-5);
    ASSERT_EQ(fit.estimation.others.size(), 1U);
    const OtherAnswer& other = fit.estimation.others[0];
    EXPECT_NEAR(fit.values_of(other.estimates).at("a"), a_is_fast ? 0.5 : 2, 1e-5);
    EXPECT_NEAR(other.objective, fit.answer().run.objective, 1e-6);
    EXPECT_NEAR(other.motion, 1, 1e-3);
    EXPECT_EQ(other.mirrored, "a and b are exchanged");
  }
}

// x' = -p^2 x does not know the sign of p.
TEST(Candidates, TheSignOfTheGuessIsThatOfTheAnswerAndTheOtherIsTold) {
  for (const double guess : {1.0, -1.0}) {
    test::Builder builder(test::Equations{{"x", "-p^2*x"}});
    builder.parameter("p", test::estimated(guess)).observable("seen", "x", "0.01");
    builder.experiment(model::default_experiment, {std::string("1")});
    for (int j = 1; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.49 * 0.5 * j));
    const test::Estimated fit(builder.build());
    EXPECT_NEAR(fit.value("p"), 0.7 * guess, 1e-5);
    ASSERT_EQ(fit.estimation.others.size(), 1U);
    EXPECT_NEAR(fit.values_of(fit.estimation.others[0].estimates).at("p"), -0.7 * guess, 1e-5);
    EXPECT_EQ(fit.estimation.others[0].mirrored, "p has the other sign");
  }
}

// A sign that a bound forbids is no other answer.
TEST(Candidates, WhatLiesBeyondABoundIsNotTold) {
  test::Builder builder(test::Equations{{"x", "-p^2*x"}});
  builder.parameter("p", test::within(1, 0, 10)).observable("seen", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.49 * 0.5 * j));
  const test::Estimated fit(builder.build());
  EXPECT_NEAR(fit.value("p"), 0.7, 1e-5);
  EXPECT_TRUE(fit.estimation.others.empty());
}

// cos(1.1 t) seen at t = 0, 1, 2, ... is cos((2 pi - 1.1) t) too.
constexpr double slow = 1.1;
constexpr double alias = 2 * std::numbers::pi - slow;
model::Problem once_per_unit(double guess) {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::within(guess, 0.5, 7)).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 0; j <= 20; ++j) builder.measure(0, 0, j, std::cos(slow * j));
  return builder.build();
}
Found descended(const Workspace& workspace, const nlp::Point& from) {
  const PlannedWay planned{.way = &trajectory, .discretisation = discretisation_for(trajectory, workspace)};
  Random random(1);
  const RunContext context;
  Setup setup = make_setup(workspace, planned.discretisation);
  solve::SolveResult run = descend_precisely(setup, from, context);
  return found({workspace, planned, random, context}, std::move(setup), std::move(run));
}

TEST(Candidates, AnAliasOfAnOscillationLosesByItsMotionWhicheverWasFoundFirst) {
  for (const bool alias_first : {true, false}) {
    const model::Problem problem = once_per_unit(alias);
    const Workspace workspace(problem, {});
    Candidates candidates(workspace);
    candidates.add(descended(workspace, {alias_first ? alias : slow}));
    candidates.add(descended(workspace, {alias_first ? slow : alias}));
    EXPECT_EQ(candidates.rule(), "motion");
    EXPECT_NEAR(candidates.best().answer.estimates.at(0), slow, 1e-5);
    const auto others = candidates.others();
    ASSERT_EQ(others.size(), 1U);
    EXPECT_NEAR(others[0].estimates[0], alias, 1e-5);
    EXPECT_NEAR(others[0].motion, alias / slow, 0.1 * alias / slow);  // the ratio of the frequencies
  }
}

StartsResult from_starts(const model::Problem& problem, int starts, int threads) {
  const Options options{.threads = threads, .starts = starts};
  return solve_all(problem, options, spread_guesses(problem, starts, options), {});
}

TEST(Candidates, OfManyStartsTheSlowOscillationIsTheAnswerAndTheAliasIsTold) {
  const model::Problem problem = once_per_unit(5);
  const StartsResult result = from_starts(problem, 12, 1);
  EXPECT_NEAR(result.estimation.best.answer.estimates.at(0), slow, 1e-5);
  ASSERT_EQ(result.estimation.others.size(), 1U);
  EXPECT_NEAR(result.estimation.others[0].estimates[0], alias, 1e-5);
}

// Of starts that would all end elsewhere, the first is the fit that there would be without the others.
TEST(Candidates, ManyStartsAreNeverWorseThanTheFitFromTheGuess) {
  const model::Problem problem = two_exponentials(3, 0.4);
  const test::Estimated alone(problem);
  const StartsResult result = from_starts(problem, 2, 1);
  const auto first = std::find_if(result.starts.begin(), result.starts.end(),
                                  [](const StartResult& start) { return start.start == 0; });
  ASSERT_NE(first, result.starts.end());
  EXPECT_EQ(first->objective, alone.answer().run.objective);
  EXPECT_EQ(first->iterations, alone.answer().run.iterations);
  EXPECT_LE(result.estimation.best.answer.run.objective, alone.answer().run.objective + 0.01);
  for (const StartResult& start : result.starts)
    if (start.status == Status::converged) EXPECT_EQ(start.message, "");
}

// Only the product of a and b is seen: wherever starts end along it, they have found one answer.
TEST(Candidates, AValleyThatTheDataDoNotSeeIsOneAnswer) {
  test::Builder builder(test::Equations{{"x", "-a*b*x"}});
  builder.parameter("a", test::within(1, 0.01, 100)).parameter("b", test::within(1, 0.01, 100));
  builder.observable("seen", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.6 * 0.5 * j));
  const model::Problem problem = builder.build();
  const StartsResult result = from_starts(problem, 6, 1);
  EXPECT_TRUE(result.estimation.others.empty());
  const auto optima = distinct_optima(result.starts);
  ASSERT_EQ(optima.size(), 1U);
  EXPECT_FALSE(optima[0].is_one_point);
  const test::Estimated alone(problem);
  EXPECT_TRUE(alone.estimation.others.empty());
  EXPECT_NEAR(alone.value("a") * alone.value("b"), 0.6, 1e-5);
}

// Carpenter's analysis of these data [Stan case study] has the posterior means 0.55, 0.028, 0.80, 0.024; the priors are
// wide, so the maximum lies within a posterior deviation of them.
void expect_of_hare_and_lynx(const Values& values) {
  EXPECT_NEAR(values.at("alpha"), 0.55, 0.065);
  EXPECT_NEAR(values.at("beta"), 0.028, 0.005);
  EXPECT_NEAR(values.at("gamma"), 0.80, 0.095);
  EXPECT_NEAR(values.at("delta"), 0.024, 0.004);
}
model::Problem hare_and_lynx() {
  return *formats::read_problem(std::filesystem::path(SALVO_SOURCE_DIR) / "test/data/hare_lynx.yaml");
}

TEST(HareAndLynx, AreTheKnownCyclesFromTheGuess) {
  const test::Estimated fit(hare_and_lynx());
  EXPECT_TRUE(is_proved(fit.answer()));
  expect_of_hare_and_lynx(fit.values());
  for (const OtherAnswer& other : fit.estimation.others) EXPECT_GT(other.motion, 1);
}

// Rates that are all c times as large run through the same cycles c times as fast. Where c is one period and one year,
// in years, one cycle more passes between two measurements, which no measurement sees.
TEST(HareAndLynx, AreTheKnownCyclesFromManyStartsAndCyclesBetweenTheMeasurementsAreTold) {
  const model::Problem problem = hare_and_lynx();
  const StartsResult result = from_starts(problem, 20, 2);
  const auto all = quantities(*result.estimation.best.shooting);
  const auto values_of = [&](const std::vector<double>& estimates) {
    Values values;
    for (std::size_t k = 0; k < all.size(); ++k)
      values[all[k].id] = model::from_scale(all[k].estimated->scale, estimates[k]);
    return values;
  };
  const Values best = values_of(result.estimation.best.answer.estimates);
  expect_of_hare_and_lynx(best);
  ASSERT_EQ(result.estimation.others.size(), 1U);
  const OtherAnswer& other = result.estimation.others[0];
  const Values faster = values_of(other.estimates);
  const double c = faster.at("alpha") / best.at("alpha");
  for (const char* rate : {"beta", "gamma", "delta"}) EXPECT_NEAR(faster.at(rate) / best.at(rate), c, 1e-3 * c);
  for (const char* size : {"h", "l"}) EXPECT_NEAR(faster.at(size), best.at(size), 1e-3 * best.at(size));
  EXPECT_NEAR(other.objective, result.estimation.best.answer.run.objective, 1e-3);
  EXPECT_NEAR(other.motion, c, 0.1 * c);
}

TEST(ManyStarts, AreGroupedByWhatTheyEstimateWithTheSameBitsForAnyNumberOfThreads) {
  const model::Problem problem = two_exponentials(3, 0.4);
  const StartsResult one = from_starts(problem, 8, 1);
  const auto optima = distinct_optima(one.starts);
  ASSERT_EQ(optima.size(), 2U);
  EXPECT_NEAR(optima[0].objective, optima[1].objective, 1e-6);
  EXPECT_NEAR(optima[0].parameters[0].second, 2, 1e-4);
  EXPECT_NEAR(optima[1].parameters[0].second, 0.5, 1e-4);
  for (const int threads : {2, 3}) {
    const StartsResult other = from_starts(problem, 8, threads);
    ASSERT_EQ(other.starts.size(), one.starts.size());
    for (std::size_t n = 0; n < one.starts.size(); ++n) {
      EXPECT_EQ(other.starts[n].start, one.starts[n].start);
      EXPECT_EQ(other.starts[n].minimum, one.starts[n].minimum);
      EXPECT_EQ(other.starts[n].objective, one.starts[n].objective);
      EXPECT_EQ(other.starts[n].parameters, one.starts[n].parameters);
    }
    EXPECT_EQ(other.estimation.best.answer.estimates, one.estimation.best.answer.estimates);
    ASSERT_EQ(other.estimation.others.size(), one.estimation.others.size());
  }
}

}  // namespace
}  // namespace salvo::estimate
