#include "uncertainty/intervals.hpp"

#include <cmath>

#include "estimate/estimate.hpp"
#include "estimate/starts/guesses.hpp"
#include "estimate/starts/starts.hpp"
#include "helpers/problems.hpp"
#include "uncertainty/summarize.hpp"

namespace salvo::uncertainty {
namespace {

using Kind = IntervalEnd::Kind;

// x = a^2 with one datum of 4 and known noise: (a^2 - 4)^2 / (2 s^2) has its ends in closed form.
model::Problem square(double sigma) {
  test::Builder builder(test::Equations{{"x", "0"}});
  builder.parameter("a", test::within(1, 0.01, 100, model::Scale::lin));
  builder.observable("seen", "a^2 + x", std::to_string(sigma))
      .experiment(model::default_experiment, {std::string("0")});
  builder.measure(0, 0, 1, 4);
  return builder.build();
}

IntervalsOutcome intervals_of(const estimate::Estimation& estimation, estimate::Intervals how) {
  return likelihood_intervals(*estimation.workspace, estimation.best, how, {});
}

TEST(LikelihoodIntervals, AreFollowedWhereTheParabolaIsWrong) {
  const model::Problem problem = square(1);
  const estimate::Estimation estimation = estimate::estimate(problem, {}, {});
  const IntervalsOutcome found = intervals_of(estimation, estimate::Intervals::automatic);
  ASSERT_EQ(found.of.size(), 1u);
  EXPECT_EQ(found.of[0].lower.kind, Kind::likelihood);
  EXPECT_NEAR(found.of[0].lower.value, std::sqrt(4 - 1.959964), 1e-4);
  EXPECT_EQ(found.of[0].upper.kind, Kind::likelihood);
  EXPECT_NEAR(found.of[0].upper.value, std::sqrt(4 + 1.959964), 1e-4);
}

// The share of the intervals is that of a fit without other starts.
TEST(LikelihoodIntervals, AreFollowedAfterManyStartsToo) {
  const model::Problem problem = square(1);
  estimate::Options options{.starts = 3};
  options.rules.intervals.least_operations = 0;
  const estimate::StartsResult starts =
      estimate::solve_all(problem, options, estimate::spread_guesses(problem, 3, options), {});
  const IntervalsOutcome found = intervals_of(starts.estimation, estimate::Intervals::automatic);
  ASSERT_EQ(found.of.size(), 1u);
  EXPECT_EQ(found.of[0].lower.kind, Kind::likelihood);
  EXPECT_NEAR(found.of[0].lower.value, std::sqrt(4 - 1.959964), 1e-4);
}

TEST(LikelihoodIntervals, AreWaldsWhereTheParabolaHolds) {
  const model::Problem problem = square(0.05);
  const estimate::Estimation estimation = estimate::estimate(problem, {}, {});
  const IntervalsOutcome found = intervals_of(estimation, estimate::Intervals::automatic);
  ASSERT_EQ(found.of.size(), 1u);
  EXPECT_EQ(found.of[0].lower.kind, Kind::wald);
  EXPECT_EQ(found.of[0].upper.kind, Kind::wald);
  ASSERT_EQ(found.observed.rows, 1);
  EXPECT_NEAR(std::sqrt(found.observed(0, 0)), 0.05 / 4, 1e-6);
  EXPECT_TRUE(intervals_of(estimation, estimate::Intervals::wald).of.empty());
}

// With noise of 3 the data do not end it from below: a = 0.01 predicts 0, which is 4 / 3 of the noise away.
TEST(LikelihoodIntervals, HaveNoEndWhereABoundComesFirst) {
  const model::Problem problem = square(3);
  estimate::Estimation estimation = estimate::estimate(problem, {}, {});
  const IntervalsOutcome found = intervals_of(estimation, estimate::Intervals::profile);
  ASSERT_EQ(found.of.size(), 1u);
  EXPECT_EQ(found.of[0].lower.kind, Kind::none);
  const auto all = estimate::quantities(*estimation.best.shooting);
  FitResult result;
  summarize(*estimation.best.shooting, estimation.best.answer, result);
  take_intervals(all, found, result);
  EXPECT_TRUE(std::isinf(result.parameters[0].interval->first));
  EXPECT_NEAR(result.parameters[0].interval->second, std::sqrt(4 + 3 * 1.959964), 1e-3);
  EXPECT_EQ(result.parameters[0].interval_kind, IntervalKind::likelihood);
  EXPECT_TRUE(about_limits(all, found).empty());
}

// a^2 should be 4 and a should be 0, with noise of 1 and s = 0.45: where both give way, a^2 = 4 - 1/(2 s^2), the
// expected information is 4 a^2 + 1/s^2 and the curvature 6 a^2 - 8 + 1/s^2.
model::Problem curved_otherwise() {
  test::Builder builder(test::Equations{{"x", "0"}});
  builder.parameter("a", test::within(1, 0.01, 100, model::Scale::lin));
  builder.observable("squared", "a^2 + x", "0.3").observable("plain", "a + x", "0.135");
  builder.experiment(model::default_experiment, {std::string("0")});
  builder.measure(0, 0, 1, 4).measure(0, 1, 1, 0);
  return builder.build();
}

TEST(LikelihoodIntervals, TellWhereTheCurvatureIsNotTheExpectedOne) {
  const model::Problem problem = curved_otherwise();
  estimate::Estimation estimation = estimate::estimate(problem, {}, {});
  const IntervalsOutcome found = intervals_of(estimation, estimate::Intervals::automatic);
  FitResult result;
  summarize(*estimation.best.shooting, estimation.best.answer, result);
  take_intervals(estimate::quantities(*estimation.best.shooting), found, result);
  const Estimate& a = result.parameters[0];
  const double information = 1 / (0.45 * 0.45), square = 4 - information / 2;
  EXPECT_NEAR(a.estimate, std::sqrt(square), 1e-6);
  EXPECT_NEAR(*a.standard_error, 0.3 / std::sqrt(4 * square + information), 1e-6);
  EXPECT_NEAR(*a.standard_error_observed, 0.3 / std::sqrt(6 * square - 8 + information), 1e-4);
  EXPECT_TRUE(a.errors_differ);
  EXPECT_EQ(a.bounds, (std::pair{0.01, 100.}));
  // Bands are drawn from the one that is nearer to the ends of the likelihood: here the curvature.
  EXPECT_NEAR(std::sqrt(result.covariance_on_scale(0, 0)), *a.standard_error_observed, 1e-6);
}

// What the share does not pay for is unknown, and told so.
TEST(LikelihoodIntervals, ThatCannotBePaidForStayWaldsAndAreMarked) {
  const model::Problem problem = square(1);
  estimate::Options options;
  options.rules.intervals.share = 0;
  options.rules.intervals.least_operations = 0;
  estimate::Estimation estimation = estimate::estimate(problem, options, {});
  const IntervalsOutcome found = intervals_of(estimation, estimate::Intervals::automatic);
  ASSERT_EQ(found.of.size(), 1u);
  EXPECT_EQ(found.of[0].upper.kind, Kind::unknown);
  FitResult result;
  summarize(*estimation.best.shooting, estimation.best.answer, result);
  take_intervals(estimate::quantities(*estimation.best.shooting), found, result);
  EXPECT_TRUE(result.parameters[0].is_unchecked);
  EXPECT_EQ(result.parameters[0].interval_kind, IntervalKind::wald);
}

// What cannot be paid for, and is contradicted by the curvature, ends where the curvature says.
TEST(LikelihoodIntervals, ThatCannotBePaidForAreThoseOfTheCurvatureWhereItIsAnotherOne) {
  const model::Problem problem = curved_otherwise();
  estimate::Options options;
  options.rules.intervals.share = 0;
  options.rules.intervals.least_operations = 0;
  estimate::Estimation estimation = estimate::estimate(problem, options, {});
  FitResult result;
  summarize(*estimation.best.shooting, estimation.best.answer, result);
  take_intervals(estimate::quantities(*estimation.best.shooting),
                 intervals_of(estimation, estimate::Intervals::automatic), result);
  const Estimate& a = result.parameters[0];
  EXPECT_TRUE(a.is_unchecked);
  EXPECT_NEAR(a.interval->second - a.estimate, 1.959964 * *a.standard_error_observed, 1e-6);
  EXPECT_NEAR(a.estimate - a.interval->first, 1.959964 * *a.standard_error_observed, 1e-6);
  EXPECT_NEAR(a.interval_wald->second - a.estimate, 1.959964 * *a.standard_error, 1e-6);
}

}  // namespace
}  // namespace salvo::uncertainty
