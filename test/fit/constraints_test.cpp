#include <Eigen/Dense>

#include "fit/fits.hpp"

namespace salvo::fit {
namespace {

using test::Builder;
using test::estimate_of;
using test::estimated;
using test::fit_of;
using test::within;

constexpr double sigma = 0.1;
const std::vector<double> u{1.13, 1.94, 3.21, 3.88};
const std::vector<double> w{2.25, 3.87, 6.12, 8.04};

// y1 = a t, y2 = b t, measured at t = 1 ... 4. Alone, a is Σ t u / Σ t².
Builder two_lines() {
  Builder builder(test::Equations{{"y1", "a"}, {"y2", "b"}});
  builder.parameter("a", estimated(3)).parameter("b", estimated(0.5));
  builder.observable("o1", "y1", "0.1").observable("o2", "y2", "0.1");
  builder.experiment(model::default_experiment, {"0", "0"});
  for (int i = 0; i < 4; ++i) builder.measure(0, 0, i + 1, u[i]).measure(0, 1, i + 1, w[i]);
  return builder;
}
constexpr double squares = 30;  // Σ t²
double slope_of(const std::vector<double>& data) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += (i + 1) * data[i];
  return sum / squares;
}

void expect_sum(const FitResult& result, double sum) {
  const double excess = slope_of(u) + slope_of(w) - sum;
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "a").estimate, slope_of(u) - excess / 2, 1e-9);
  EXPECT_NEAR(estimate_of(result, "b").estimate, slope_of(w) - excess / 2, 1e-9);
  // Only the difference of a and b is free: half of the variance of each, and opposite errors.
  const double variance = sigma * sigma / squares / 2;
  EXPECT_NEAR(*estimate_of(result, "a").standard_error, std::sqrt(variance), 1e-9);
  EXPECT_NEAR(*estimate_of(result, "b").standard_error, std::sqrt(variance), 1e-9);
  EXPECT_NEAR(result.covariance(0, 1), -variance, 1e-9);
  EXPECT_EQ(result.degrees_of_freedom, 7);
  EXPECT_TRUE(result.constraints.at(0).active);
  EXPECT_NEAR(result.constraints.at(0).multiplier, squares / (sigma * sigma) * excess / 2, 1e-5);
}

TEST(Constraints, AnEqualityOfALinearModelHasItsClosedForm) {
  const FitResult result = fit_of(two_lines().constraint("a + b", "==", "3.5").build());
  expect_sum(result, 3.5);
  EXPECT_EQ(result.message.find("equality"), std::string::npos);
}

// Rounding leaves something like 5e-19 there.
TEST(Constraints, AValueThatTheyHoldAtZeroIsZero) {
  const FitResult result = fit_of(two_lines().constraint("a*b", "==", "0").constraint("b", ">=", "1").build());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(estimate_of(result, "a").estimate, 0);
}

TEST(Constraints, AnActiveInequalityIsAnEqualityAndTheMessageSaysSo) {
  const FitResult result = fit_of(two_lines().constraint("a + b", "<=", "2.5").build());
  expect_sum(result, 2.5);
  EXPECT_NE(result.message.find("a + b <= 2.5 holds with equality"), std::string::npos) << result.message;
}

TEST(Constraints, AnInactiveInequalityChangesNothing) {
  const FitResult result = fit_of(two_lines().constraint("a + b", "<=", "3.5").constraint("b", ">=", "a").build());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "a").estimate, slope_of(u), 1e-9);
  EXPECT_NEAR(*estimate_of(result, "a").standard_error, sigma / std::sqrt(squares), 1e-9);
  EXPECT_FALSE(result.constraints.at(0).active);
  EXPECT_EQ(result.constraints.at(0).multiplier, 0);
  EXPECT_FALSE(result.constraints.at(0).in_conflict);
}

TEST(Constraints, WhatTheyDetermineHasNoError) {
  const FitResult result = fit_of(two_lines().constraint("a", ">=", "1.5").build());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "a").estimate, 1.5, 1e-12);
  EXPECT_FALSE(estimate_of(result, "a").standard_error);
  EXPECT_EQ(estimate_of(result, "a").at_bound, AtBound::none);
  EXPECT_NEAR(*estimate_of(result, "b").standard_error, sigma / std::sqrt(squares), 1e-9);
  EXPECT_NE(result.message.find("Determined by constraints, so without a standard error: a"), std::string::npos);
}

TEST(Constraints, MeetBoundsAndScales) {
  Builder builder(test::Equations{{"y1", "a"}, {"y2", "b"}});
  builder.parameter("a", within(1.5, 1.2, 9, model::Scale::log)).parameter("b", within(1, 0.1, 5, model::Scale::log10));
  builder.observable("o1", "y1", "0.1").observable("o2", "y2", "0.1");
  builder.experiment(model::default_experiment, {"0", "0"});
  for (int i = 0; i < 4; ++i) builder.measure(0, 0, i + 1, u[i]).measure(0, 1, i + 1, w[i]);
  const FitResult result = fit_of(builder.constraint("a*b", "<=", "1.8").build());  // a = 1.2, b = 1.5
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "a").estimate, 1.2, 1e-9);
  EXPECT_EQ(estimate_of(result, "a").at_bound, AtBound::lower);
  EXPECT_NEAR(estimate_of(result, "b").estimate, 1.5, 1e-8);
}

TEST(Constraints, ThatContradictEachOtherAreNamed) {
  const FitResult both = fit_of(two_lines().constraint("a", ">=", "2").constraint("a", "<=", "1").build());
  EXPECT_EQ(both.status, Status::infeasible) << both.message;
  for (const ConstraintResult& constraint : both.constraints) EXPECT_TRUE(constraint.in_conflict) << constraint.text;
  EXPECT_NE(both.message.find("'a >= 2' and 'a <= 1'"), std::string::npos) << both.message;

  Builder bounded(test::Equations{{"x", "-k*x"}});
  bounded.parameter("k", within(1, 0, 2)).observable("o", "x", "0.1");
  bounded.experiment(model::default_experiment, {estimated(1)}).measure(0, 0, 0, 1).measure(0, 0, 1, 0.4);
  const FitResult bound = fit_of(bounded.constraint("k", ">=", "3").build());
  EXPECT_EQ(bound.status, Status::infeasible) << bound.message;
  EXPECT_NE(bound.message.find("'k >= 3' and the upper bound 2 of k"), std::string::npos) << bound.message;

  const FitResult fixed = fit_of(two_lines().constraint("y1", ">=", "0.5").build());  // y1(0) is known to be 0
  EXPECT_EQ(fixed.status, Status::infeasible) << fixed.message;
  EXPECT_NE(fixed.message.find("'y1 >= 0.5' at t = 0"), std::string::npos) << fixed.message;
}

// --- predator and prey ---------------------------------------------------------------------------------------------

// The same data with one parameter put in for another.
model::Problem predator_prey_with(const test::Equations& equations) {
  const model::Problem data = test::predator_prey();
  Builder builder(equations);
  builder.parameter("p1", estimated(0.5)).parameter("p3", estimated(0.5)).parameter("p", estimated(0.5));
  builder.observable("predator", "x1", "0.05").observable("prey", "x2", "0.05");
  builder.experiment(model::default_experiment, {estimated(0.4), estimated(1)});
  for (const model::Measurement& m : data.measurements) builder.measure(0, m.observable, m.time, m.value);
  return builder.build();
}

void expect_same(const FitResult& constrained, const FitResult& free, const std::vector<std::string>& ids) {
  EXPECT_EQ(constrained.status, Status::converged) << constrained.message;
  EXPECT_EQ(free.status, Status::converged) << free.message;
  EXPECT_NEAR(constrained.objective, free.objective, 1e-6);
  EXPECT_EQ(constrained.degrees_of_freedom, free.degrees_of_freedom);
  for (const std::string& id : ids) {
    EXPECT_NEAR(estimate_of(constrained, id).estimate, estimate_of(free, id).estimate, 1e-7) << id;
    EXPECT_NEAR(*estimate_of(constrained, id).standard_error, *estimate_of(free, id).standard_error, 1e-7) << id;
  }
}

TEST(Constraints, AnEqualityIsAParameterPutInForAnother) {
  const FitResult constrained = fit_of(test::predator_prey_with_data().constraint("p1", "==", "p4").build());
  const FitResult free = fit_of(predator_prey_with({{"x1", "-p1*x1 + p*x1*x2"}, {"x2", "p3*x2 - p1*x1*x2"}}));
  expect_same(constrained, free, {"p1", "p3", "x1", "x2"});
  EXPECT_NEAR(*estimate_of(constrained, "p4").standard_error, *estimate_of(free, "p1").standard_error, 1e-7);
}

TEST(Constraints, AnActiveInequalityLeavesTheRestOfTheParametersFree) {
  const FitResult constrained = fit_of(test::predator_prey_with_data().constraint("p1 + p2", "<=", "1.5").build());
  const FitResult free = fit_of(predator_prey_with({{"x1", "-p1*x1 + (1.5 - p1)*x1*x2"}, {"x2", "p3*x2 - p*x1*x2"}}));
  expect_same(constrained, free, {"p1", "p3", "x1", "x2"});
  EXPECT_GT(constrained.constraints.at(0).multiplier, 0);
}

TEST(Constraints, OnAnyGridGiveTheSameAnswer) {
  const model::Problem problem = test::predator_prey_with_data().constraint("p1 + p2", "<=", "1.9").build();
  const FitResult many = fit_of(problem);
  const FitResult few = fit_of(problem, {.nodes = model::IntervalCount{4}});
  expect_same(many, few, {"p1", "p2", "p3", "p4", "x1", "x2"});
}

// --- at nodes --------------------------------------------------------------------------------------------------------

// A thrown stone, x = x0 + v0 t - g t²/2 with all three estimated: linear in them. At t = 0, ..., 4 its height is at
// most `limit`, which only the highest point feels.
TEST(Constraints, AtNodesHoldAtEachOfThem) {
  const std::vector<double> data{0.1, 3.1, 4.2, 2.9, 0.2};
  const double limit = 3.9;
  Builder builder(test::Equations{{"x", "v"}, {"v", "-g"}});
  builder.parameter("g", estimated(1)).observable("height", "x", "0.1");
  builder.experiment(model::default_experiment, {estimated(1), estimated(1)});
  for (int t = 0; t <= 4; ++t) builder.measure(0, 0, t, data[t]);
  const FitResult result = fit_of(builder.constraint("x", "<=", "3.9").build());

  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(4, 4);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(4);
  for (int t = 0; t <= 4; ++t) {
    const Eigen::Vector3d row(1, t, -0.5 * t * t);
    kkt.topLeftCorner(3, 3) += row * row.transpose();
    rhs.head(3) += row * data[t];
    if (t == 2) kkt.topRightCorner(3, 1) = row, kkt.bottomLeftCorner(1, 3) = row.transpose();
  }
  rhs[3] = limit;
  const Eigen::VectorXd exact = kkt.inverse() * rhs;
  const Eigen::MatrixXd covariance = sigma * sigma * kkt.inverse().topLeftCorner(3, 3);

  EXPECT_EQ(result.status, Status::converged) << result.message;
  const std::vector<std::string> ids{"x", "v", "g"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(estimate_of(result, ids[i]).estimate, exact[i], 1e-7) << ids[i];
    EXPECT_NEAR(*estimate_of(result, ids[i]).standard_error, std::sqrt(covariance(i, i)), 1e-7) << ids[i];
  }
  ASSERT_EQ(result.constraints.at(0).places.size(), 1u);
  EXPECT_EQ(result.constraints[0].places[0].time, 2.0);
  EXPECT_NE(result.message.find("x <= 3.9 holds with equality at t = 2"), std::string::npos) << result.message;
}

// A decay that begins anywhere, or one that is stuck at the symmetric point of x' = -p^2 x.
Builder decay(double rate, const std::string& equation, double guess,
              const std::variant<std::string, model::Estimated>& first) {
  Builder builder(test::Equations{{"x", equation}});
  builder.parameter("p", estimated(guess)).observable("amount", "x", "0.1");
  builder.experiment(model::default_experiment, {first});
  for (int t = 1; t <= 8; ++t) builder.measure(0, 0, t, 2 * std::exp(-rate * t) + (t % 2 == 0 ? 0.05 : -0.03));
  return builder;
}

// The end of a trajectory is a node as well, and not free: a constraint that is nowhere met changes nothing.
TEST(Constraints, AtNodesThatNoneOfThemMeetsLeaveTheProofAsItIs) {
  const FitResult free = fit_of(decay(0.4, "-p*x", 1, estimated(1)).build());
  const FitResult result = fit_of(decay(0.4, "-p*x", 1, estimated(1)).constraint("x", ">=", "-0.5").build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.objective, free.objective, 1e-9);
  EXPECT_LE(result.certificate.gain.value(), 1e-6);
  EXPECT_EQ(result.certificate.rank, 2);
  for (const std::string id : {"p", "x"}) {
    EXPECT_NEAR(estimate_of(result, id).estimate, estimate_of(free, id).estimate, 1e-6) << id;
    EXPECT_NEAR(*estimate_of(result, id).standard_error, *estimate_of(free, id).standard_error, 1e-6) << id;
  }
}
TEST(Constraints, AtNodesLeaveASaddleAsAnyFitDoes) {
  const FitResult result = fit_of(decay(0.4, "-p^2*x", 0, std::string("2")).constraint("x", "<=", "5").build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(std::abs(estimate_of(result, "p").estimate), std::sqrt(0.4), 0.02);
}

TEST(Constraints, ThatHoldAtNodesTakeSeveralExperiments) {
  Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", estimated(0.5)).observable("amount", "x", "0.1");
  builder.experiment("low", {estimated(1)}).experiment("high", {estimated(1)});
  for (int t = 0; t <= 3; ++t)
    builder.measure(0, 0, t, 1.1 * std::exp(-0.7 * t)).measure(1, 0, t, 2.3 * std::exp(-0.7 * t));
  const model::Problem free = builder.build();
  const FitResult result = fit_of(builder.constraint("x", "<=", "2").build());
  // Only the first node of `high` is held: the same as if it were known.
  model::Problem known = free;
  known.experiments[1].initial[0] = known.graph.constant(2);
  const FitResult expected = fit_of(known);
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "k").estimate, estimate_of(expected, "k").estimate, 1e-7);
  EXPECT_NEAR(*estimate_of(result, "k").standard_error, *estimate_of(expected, "k").standard_error, 1e-7);
  EXPECT_NE(result.message.find("at t = 0 in experiment 'high'"), std::string::npos) << result.message;
}

TEST(Constraints, OfInitialValuesHoldInEachExperiment) {
  Builder builder(test::Equations{{"x", "-k*x"}, {"y", "-k*y"}});
  builder.parameter("k", estimated(0.5)).observable("ox", "x", "0.1").observable("oy", "y", "0.1");
  builder.experiment("one", {estimated(1), estimated(1)}).experiment("two", {estimated(2), estimated(1)});
  for (int t = 0; t <= 3; ++t)
    for (int e = 0; e < 2; ++e)
      builder.measure(e, 0, t, (1.9 + e) * std::exp(-0.6 * t)).measure(e, 1, t, (1.1 + 0.3 * e) * std::exp(-0.6 * t));
  const FitResult result = fit_of(builder.constraint("initial_x", "==", "2*initial_y").build());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  ASSERT_EQ(result.initial.size(), 4u);
  for (const std::string experiment : {"one", "two"}) {
    double x = 0;
    double y = 1;
    for (const Estimate& estimate : result.initial)
      if (estimate.experiment == experiment) (estimate.id == "x" ? x : y) = estimate.estimate;
    EXPECT_NEAR(x, 2 * y, 1e-9);
    // min (2y - x_free)² + (y - y_free)²; the rate is that of all series, so it takes no part.
    const double e = experiment == "two" ? 1 : 0;
    EXPECT_NEAR(y, (2 * (1.9 + e) + (1.1 + 0.3 * e)) / 5, 1e-7);
  }
  EXPECT_NEAR(estimate_of(result, "k").estimate, 0.6, 1e-7);
  EXPECT_EQ(result.degrees_of_freedom, 16 - 3);
}

// --- bounds ----------------------------------------------------------------------------------------------------------

// Growth by e^20 from a known start: the elimination keeps both ends beside theta, and bounds must hold there too.
TEST(Constraints, BoundsHoldWhereAKnownStartGrows) {
  Builder builder({{"x1", "x2"}, {"x2", "mu^2*x1 - (mu^2 + p^2)*sin(p*t)"}});
  builder.parameter("p", within(1, 0, 3)).parameter("mu", 8.0);
  builder.observable("x1_obs", "x1", "0.05");
  builder.experiment(model::default_experiment, {"0", "p"});
  for (int j = 1; j <= 20; ++j) builder.measure(0, 0, 0.05 * j, std::sin(3.14159 * 0.05 * j));
  const FitResult result = fit_of(builder.build());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(estimate_of(result, "p").at_bound, AtBound::upper);
  EXPECT_EQ(estimate_of(result, "p").estimate, 3);
}

TEST(Constraints, AParameterLeavesTheBoundItStartsOn) {
  Builder builder(test::Equations{{"y1", "a"}, {"y2", "b"}});
  builder.parameter("a", within(0, 0, 10)).parameter("b", within(5, 0, 5));
  builder.observable("o1", "y1", "0.1").observable("o2", "y2", "0.1");
  builder.experiment(model::default_experiment, {"0", "0"});
  for (int i = 0; i < 4; ++i) builder.measure(0, 0, i + 1, u[i]).measure(0, 1, i + 1, w[i]);
  const FitResult result = fit_of(builder.build());
  EXPECT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "a").estimate, slope_of(u), 1e-9);
  EXPECT_NEAR(estimate_of(result, "b").estimate, slope_of(w), 1e-9);
}

// a -> b -> c with a way back that the data do not want: its rate ends at zero exactly.
TEST(Constraints, ARateEndsAtZeroAndTheOtherErrorsAreThoseWithoutIt) {
  const auto kinetics = [](const std::variant<double, model::Estimated>& back) {
    Builder builder(test::Equations{{"A", "-k1*A + k3*B"}, {"B", "k1*A - k2*B - k3*B"}});
    builder.parameter("k1", within(1, 0, 10)).parameter("k2", within(1, 0, 10)).parameter("k3", back);
    builder.observable("oa", "A", "0.01").observable("ob", "B", "0.01");
    builder.experiment(model::default_experiment, {"1", "0"});
    for (int j = 1; j <= 10; ++j) {
      const double t = 0.3 * j;
      const double a = std::exp(-1.2 * t);
      builder.measure(0, 0, t, a - 0.01 * t).measure(0, 1, t, 1.2 / (0.8 - 1.2) * (a - std::exp(-0.8 * t)));
    }
    return builder.build();
  };
  const FitResult bounded = fit_of(kinetics(within(0.5, 0, 10)));
  const FitResult without = fit_of(kinetics(0.0));
  EXPECT_EQ(bounded.status, Status::converged) << bounded.message;
  EXPECT_EQ(estimate_of(bounded, "k3").estimate, 0);
  EXPECT_EQ(estimate_of(bounded, "k3").at_bound, AtBound::lower);
  EXPECT_FALSE(estimate_of(bounded, "k3").standard_error);
  for (const std::string id : {"k1", "k2"}) {
    EXPECT_NEAR(estimate_of(bounded, id).estimate, estimate_of(without, id).estimate, 1e-7);
    EXPECT_NEAR(*estimate_of(bounded, id).standard_error, *estimate_of(without, id).standard_error, 1e-7);
  }
}

}  // namespace
}  // namespace salvo::fit
