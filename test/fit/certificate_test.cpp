#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "fits.hpp"

namespace salvo::fit {
namespace {

// x = exp(-rate t) at t = 0.5 ... 4, without noise.
test::Builder decay(const std::string& equation, const model::Estimated& rate, double truth) {
  test::Builder builder(test::Equations{{"x", equation}});
  builder.parameter("k", rate).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 1; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-truth * 0.5 * j));
  return builder;
}

TEST(Proof, LeavesAMaximumOnWhichItStarts) {
  const FitResult result =
      test::fit_of(decay("-k^2*x", test::estimated(0), 0.49).build(), {.nodes = model::SingleInterval{}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(std::abs(test::estimate_of(result, "k").estimate), 0.7, 1e-6);
  EXPECT_LE(result.certificate.gain.value(), 1e-6);
}

TEST(Proof, LeavesARateSoFastThatTheDataSeeNothing) {
  const FitResult result = test::fit_of(decay("-k*x", test::estimated(50), 0.5).build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(test::estimate_of(result, "k").estimate, 0.5, 1e-6);
}

// Three exponentials to thirteen digits (Lanczos1 of the NIST reference data): steps become shorter than the tolerance
// while the misfit is still a million, and differences of gradients are nothing but rounding.
TEST(Proof, DoesNotBelieveAHessianThatIsRounding) {
  test::Builder builder(test::Equations{{"x", "0"}});
  const std::vector<double> guess{1.2, 0.3, 5.6, 5.5, 6.5, 7.6};
  for (int k = 0; k < 6; ++k) builder.parameter("b" + std::to_string(k + 1), test::estimated(guess[k]));
  builder.observable("seen", "b1*exp(-b2*t) + b3*exp(-b4*t) + b5*exp(-b6*t)", "9e-14");
  builder.experiment(model::default_experiment, {std::string("1")});
  for (int j = 0; j < 24; ++j) {
    const double t = 0.05 * j;
    builder.measure(0, 0, t, 0.0951 * std::exp(-t) + 0.8607 * std::exp(-3 * t) + 1.5576 * std::exp(-5 * t));
  }
  const FitResult result = test::fit_of(builder.build(), {.nodes = model::SingleInterval{}});
  EXPECT_TRUE(result.status != Status::converged || result.chi2 < 100) << result.chi2 << ": " << result.message;
}

TEST(Proof, NoAnswerIsWorseThanTheGuessThatWasGiven) {
  const model::Problem problem = decay("-k*x", test::within(1, 1e-3, 1e3), 0.5).build();
  for (const double guess : {0.01, 0.5, 3.0, 20.0}) {
    const EvaluateResult before = evaluate(problem, {.values = {{"k", guess}}});
    const FitResult after = test::fit_of(problem, {.guess = {{"k", guess}}});
    EXPECT_GE(after.llh, before.llh - 1e-9) << guess;
  }
}

TEST(Proof, TraceRowsNameThePhaseAndTheRule) {
  const FitResult result = test::fit_of(decay("-k*x", test::estimated(1), 0.5).build());
  ASSERT_GT(result.trace.size(), 1u);
  EXPECT_EQ(result.trace.front().rule, "start");
  for (const TracePoint& point : result.trace) {
    EXPECT_FALSE(point.phase.empty());
    EXPECT_FALSE(point.rule.empty());
  }
}

TEST(Proof, TheAnswerOfManyStartsIsThatOfItsBestOne) {
  const FitResult result = test::fit_of(decay("-k*x", test::within(1, 1e-2, 1e2), 0.5).build(), {.starts = 4});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  ASSERT_EQ(result.starts.size(), 4u);
  EXPECT_EQ(result.starts.front().objective, result.objective);
  for (const StartResult& start : result.starts) {
    EXPECT_EQ(start.guess.size(), 1u);
    EXPECT_GE(start.points, 1);
    EXPECT_LE(start.gap, 1e-8);
  }
}

TEST(Evaluate, TakesValuesBeyondTheBoundsAsTheyAre) {
  const model::Problem problem = decay("-k*x", test::within(1, 0.1, 2), 0.5).build();
  double expected = 0;
  for (const double t : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0})
    expected += std::pow((std::exp(-3 * t) - std::exp(-0.5 * t)) / 0.05, 2);
  EXPECT_NEAR(evaluate(problem, {.values = {{"k", 3}}}).chi2, expected, 1e-6 * expected);
}

}  // namespace
}  // namespace salvo::fit
