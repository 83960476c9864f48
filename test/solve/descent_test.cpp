#include "solve/method/descent.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "base/random.hpp"
#include "regression.hpp"

namespace salvo::solve {
namespace {

SolveResult run(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options = {}) {
  return descend(problem, std::move(start), options, {});
}

// y = exp(-k t), as measured.
const std::vector<double> times{0.2, 0.5, 1, 1.5, 2.5, 4};
const std::vector<double> measured{0.85, 0.74, 0.43, 0.41, 0.12, 0.11};

test::Regression decay() {
  return {1, [](const nlp::Point& q) {
            test::Residuals out;
            for (std::size_t i = 0; i < times.size(); ++i) {
              const double y = std::exp(-q[0] * times[i]);
              out.r.push_back((y - measured[i]) / 0.05);
              out.J.push_back({-times[i] * y / 0.05});
            }
            return out;
          }};
}

// The k with the least objective, by golden section: a second method.
double best_rate() {
  const test::Regression problem = decay();
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0.1;
  double high = 3;
  while (high - low > 1e-9) {
    const double a = high - golden * (high - low);
    const double b = low + golden * (high - low);
    (problem.objective({a}) < problem.objective({b}) ? high : low) =
        problem.objective({a}) < problem.objective({b}) ? b : a;
  }
  return 0.5 * (low + high);
}

TEST(Descent, ReachesTheEndOfRosenbrocksValley) {
  const SolveResult result = run(test::rosenbrock(), {-1.2, 1});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_NEAR(result.q[0], 1, 1e-8);
  EXPECT_NEAR(result.q[1], 1, 1e-8);
  EXPECT_LT(result.objective, 1e-16);
}

TEST(Descent, FitsADecayFromRatesThatAreMuchTooHighOrTooLow) {
  for (const double start : {0.0, 0.3, 0.7, 3.0, 20.0}) {
    const SolveResult result = run(decay(), {start});
    EXPECT_EQ(result.ended, Ended::tolerance) << start;
    EXPECT_NEAR(result.q[0], best_rate(), 1e-6) << start;
    EXPECT_NEAR(result.objective, decay().objective({best_rate()}), 1e-9) << start;
  }
}

// A valley a thousand times as narrow: straight steps must be short.
TEST(Descent, FollowsABentValleyInFewerStepsIfTheyAreBent) {
  SolveOptions straight;
  straight.rules.descent.most_bends = 0;
  straight.rules.descent.patience = 0;
  SolveOptions bent = straight;
  bent.rules.descent.most_bends = 4;
  straight.max_iterations = bent.max_iterations = 1000;
  const SolveResult with = run(test::rosenbrock(1e4), {-1.2, 1.44}, bent);
  const SolveResult without = run(test::rosenbrock(1e4), {-1.2, 1.44}, straight);
  EXPECT_NEAR(with.q[0], 1, 1e-6);
  EXPECT_LT(2 * with.iterations, without.iterations);
}

// (x + 1, c x^2 + x - 1) has its minimum at 0 with J'J = 2 and H = 2 - 2c: for c < -1 Gauss-Newton steps lead away from
// it, for c near 1 they creep.
TEST(Descent, LearnsWhatTheInformationLeavesOut) {
  for (const double c : {-3.0, -1.5, 0.9}) {
    const test::Regression problem(1, [c](const nlp::Point& q) {
      return test::Residuals{.r = {q[0] + 1, c * q[0] * q[0] + q[0] - 1}, .J = {{1}, {2 * c * q[0] + 1}}};
    });
    const SolveResult result = run(problem, {0.2});
    EXPECT_EQ(result.ended, Ended::tolerance) << c;
    EXPECT_NEAR(result.q[0], 0, 1e-5) << c;
    EXPECT_LE(result.iterations, 15) << c;
  }
}

// (10 + 5e4 x^2, 10 + z^2 / 200, 1 + 0.05 x + 0.05 z): at 0 the rows see nothing but x + z, along which x is a wall.
// Only their second derivatives tell that z may move, to where 5e-5 z^3 + 0.1025 z + 0.05 = 0.
TEST(Descent, AsksTheHessianBeforeItGivesUp) {
  const test::Regression problem(2, [](const nlp::Point& q) {
    return test::Residuals{.r = {10 + 5e4 * q[0] * q[0], 10 + q[1] * q[1] / 200, 1 + 0.05 * q[0] + 0.05 * q[1]},
                           .J = {{1e5 * q[0], 0}, {0, q[1] / 100}, {0.05, 0.05}}};
  });
  SolveOptions options;
  options.asks_before_end = true;
  const SolveResult result = run(problem, {0, 0}, options);
  EXPECT_EQ(result.ended, Ended::tolerance);
  const double z = result.q[1];
  EXPECT_NEAR(5e-5 * z * z * z + 0.1025 * z + 0.05, 0, 1e-5);
}

// Gradients beside a point that are wrong, as where errors of integration grow: they make a steep hill of a bowl.
struct WrongBeside : test::Regression {
  using Regression::Regression;
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request& request, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override {
    const nlp::Evaluation at = Regression::adjoint(q, request, weights, out);
    out.objective_by_q[0] -= 1e8 * (q[0] - 0.1);
    return at;
  }
};
TEST(Descent, ForgetsAHessianThatTheRowsRefute) {
  const WrongBeside problem(1,
                            [](const nlp::Point& q) { return test::Residuals{.r = {10 * (q[0] - 1)}, .J = {{10}}}; });
  SolveOptions options;
  options.asks_before_end = true;
  options.rules.descent.patience = 1;
  const SolveResult result = run(problem, {0.1}, options);
  ASSERT_GE(result.trace.size(), 2u);
  EXPECT_GT(result.trace[1].step, 0.1);
}

// With x <= 1/2 the best point is (1/2, 1/4).
TEST(Descent, EndsOnABoundThatItIsPressedAgainst) {
  test::Regression problem = test::rosenbrock();
  problem.bound(0, -2, 0.5);
  const SolveResult result = run(problem, {-1.2, 1});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_NEAR(result.q[0], 0.5, 1e-8);
  EXPECT_NEAR(result.q[1], 0.25, 1e-8);
  EXPECT_LE(result.q[0], 0.5);
}

// Pressed against y = 0.3 at first, where the valley lies lower, until x has come far enough.
TEST(Descent, LeavesABoundThatStoodInItsWay) {
  test::Regression problem = test::rosenbrock();
  problem.bound(1, 0.3, 9);
  const SolveResult result = run(problem, {0.1, 0.3});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_NEAR(result.q[0], 1, 1e-7);
  EXPECT_NEAR(result.q[1], 1, 1e-7);
}

// r = (x + y - 3, 0.1 (x - y), 3 (y - 2)...) starts at two bounds, one of which it must leave, one of which it must
// not.
TEST(Descent, LeavesOneBoundAndStaysOnAnother) {
  test::Regression problem(2, [](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] - 2, q[1] + 1}, .J = {{1, 0}, {0, 1}}};
  });
  problem.bound(0, 0, 5).bound(1, 0, 5);
  const SolveResult result = run(problem, {0, 0});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_NEAR(result.q[0], 2, 1e-9);
  EXPECT_EQ(result.q[1], 0);
}

TEST(Descent, ClampsAStartThatLiesOutsideItsBounds) {
  test::Regression problem = test::rosenbrock();
  problem.bound(0, -2, 2).bound(1, -2, 2);
  problem.failing([](const nlp::Point& q) { return std::abs(q[0]) > 2 || std::abs(q[1]) > 2; });
  const SolveResult result = run(problem, {-7, 30});
  ASSERT_FALSE(result.trace.empty());
  EXPECT_EQ(result.trace[0].theta, (std::vector<double>{-2, 2}));
  EXPECT_NEAR(result.q[0], 1, 1e-7);
}

// log x = 1 from x = 10: the whole step ends at -3.
TEST(Descent, ShortensStepsToPointsThatCannotBeEvaluated) {
  test::Regression problem(
      1, [](const nlp::Point& q) { return test::Residuals{.r = {10 * (std::log(q[0]) - 1)}, .J = {{10 / q[0]}}}; });
  problem.failing([](const nlp::Point& q) { return q[0] <= 0; }).sized({10});
  SolveOptions options;
  options.rules.descent.first_radius = 4;
  const SolveResult result = run(problem, {10}, options);
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_NEAR(result.q[0], std::exp(1.0), 1e-7);
}

// The minimum lies where nothing can be evaluated: it comes as near as it can and says what stood in the way.
TEST(Descent, StallsInFrontOfALimitAndNamesIt) {
  test::Regression problem = decay();
  problem.failing([](const nlp::Point& q) { return q[0] > 0.5; });
  const SolveResult result = run(problem, {0.1});
  EXPECT_EQ(result.ended, Ended::no_step);
  EXPECT_EQ(result.trouble, "theta is out of reach");
  EXPECT_NEAR(result.q[0], 0.5, 1e-3);
  EXPECT_LE(result.q[0], 0.5);
}

// The same for derivatives alone.
TEST(Descent, ShortensStepsToPointsThatHaveNoDerivatives) {
  test::Regression problem = decay();
  problem.failing_to_linearize([](const nlp::Point& q) { return q[0] > 0.5; });
  for (const double start : {0.1, 0.2, 0.3, 0.4, 0.45, 0.47})
    EXPECT_NEAR(run(problem, {start}).q[0], 0.5, 1e-3) << start;
}

// The same beside a large objective, where short steps promise less than is seen.
TEST(Descent, DoesNotTakeAShortRadiusForAnEnd) {
  test::Regression problem(1, [](const nlp::Point& q) {
    return test::Residuals{.r = {30 * (q[0] - 1), 450}, .J = {{30}, {0}}};
  });
  problem.failing([](const nlp::Point& q) { return q[0] > 0.5; });
  const SolveResult result = run(problem, {0.1});
  EXPECT_NE(result.ended, Ended::tolerance);
}

TEST(Descent, SaysWhyAStartCannotBeEvaluated) {
  test::Regression problem = decay();
  problem.failing([](const nlp::Point&) { return true; });
  const SolveResult result = run(problem, {0.1});
  EXPECT_EQ(result.ended, Ended::not_computable);
  EXPECT_EQ(result.trouble, "theta is out of reach");
  EXPECT_TRUE(result.trace.empty());
  EXPECT_EQ(result.q, nlp::Point{0.1});
}

// Waves in every direction, bounds, and a corner that cannot be evaluated.
TEST(Descent, IsNeverWorseThanItsStart) {
  test::Regression problem(3, [](const nlp::Point& q) {
    return test::Residuals{.r = {std::sin(3 * q[0]) + q[1], std::cos(2 * q[1] * q[2]), std::exp(q[2] - q[0]) - 2},
                           .J = {{3 * std::cos(3 * q[0]), 1, 0},
                                 {0, -2 * q[2] * std::sin(2 * q[1] * q[2]), -2 * q[1] * std::sin(2 * q[1] * q[2])},
                                 {-std::exp(q[2] - q[0]), 0, std::exp(q[2] - q[0])}}};
  });
  problem.bound(0, -1, 4).bound(2, -3, 0.8);
  problem.failing([](const nlp::Point& q) { return q[0] + q[1] > 4; });
  Random random(61);
  for (int k = 0; k < 50; ++k) {
    SCOPED_TRACE(k);
    const nlp::Point start{-1 + 2 * random.uniform(), 2 * random.normal(), -3 + 3 * random.uniform()};
    const SolveResult result = run(problem, start);
    if (problem.objective(start) == INFINITY) continue;
    EXPECT_LE(result.objective, problem.objective(start));
    EXPECT_EQ(result.objective, problem.objective(result.q));
    for (std::size_t i = 1; i < result.trace.size(); ++i)
      EXPECT_LE(result.trace[i].objective, result.trace[i - 1].objective + 1e-10 * (1 + result.trace[i].objective));
    for (int i = 0; i < 3; ++i) {
      EXPECT_GE(result.q[i], problem.layout().lower[i]);
      EXPECT_LE(result.q[i], problem.layout().upper[i]);
    }
  }
}

TEST(Descent, DoesNotDependOnTheScalesOfItsUnknowns) {
  const double a = 1e-4;
  const double b = 1e3;
  test::Regression scaled(2, [&](const nlp::Point& q) {
    const double x = q[0] / a;
    return test::Residuals{.r = {10 * (q[1] / b - x * x), 1 - x}, .J = {{-20 * x / a, 10 / b}, {-1 / a, 0}}};
  });
  scaled.sized({a, b});
  const SolveResult plain = run(test::rosenbrock(), {-1.2, 1});
  const SolveResult result = run(scaled, {-1.2 * a, b});
  EXPECT_EQ(result.iterations, plain.iterations);
  EXPECT_NEAR(result.q[0] / a, 1, 1e-8);
  EXPECT_NEAR(result.q[1] / b, 1, 1e-8);
}

TEST(Descent, StopsAfterSoManyIterations) {
  SolveOptions options;
  options.max_iterations = 1;
  const SolveResult result = run(test::rosenbrock(), {-1.2, 1}, options);
  EXPECT_EQ(result.ended, Ended::iterations);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(result.trace.size(), 2u);
}

TEST(Descent, StopsWhenItIsInterrupted) {
  int told = 0;
  const RunContext context{.listener = [&](const Event&) { ++told; }, .interrupted = [&] { return told >= 2; }};
  const SolveResult result = descend(test::rosenbrock(), {-1.2, 1}, {}, context);
  EXPECT_EQ(result.ended, Ended::interrupted);
  EXPECT_EQ(result.iterations, 1);  // the start was told, too
  EXPECT_LT(result.objective, test::rosenbrock().objective({-1.2, 1}));
}

TEST(Descent, SaysSoIfItIsInterruptedInTheMiddleOfAStep) {
  int asked = 0;
  const RunContext context{.interrupted = [&] { return ++asked > 1; }};
  EXPECT_EQ(descend(test::rosenbrock(), {-1.2, 1}, {}, context).ended, Ended::interrupted);
}

TEST(Descent, StopsAtItsDeadline) {
  const RunContext context{.deadline = std::chrono::steady_clock::now()};
  const SolveResult result = descend(test::rosenbrock(), {-1.2, 1}, {}, context);
  EXPECT_EQ(result.ended, Ended::deadline);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.q, (nlp::Point{-1.2, 1}));
}

TEST(Descent, EndsWhereAStepPromisesNoMoreThanEnough) {
  SolveOptions options;
  options.enough = 1e-2;
  const SolveResult early = run(decay(), {0.1}, options);
  const SolveResult late = run(decay(), {0.1});
  EXPECT_EQ(early.ended, Ended::tolerance);
  EXPECT_LT(early.iterations, late.iterations);
  EXPECT_LE(early.promised, 1e-2);
  EXPECT_LT(early.objective, late.objective + 2e-2);
}

TEST(Descent, TracesItsPhaseAndTheRulesOfItsSteps) {
  SolveOptions options;
  options.phase = "search";
  std::set<std::string> rules;
  for (const nlp::Point& start : {nlp::Point{-1.2, 1}, nlp::Point{30, -50}}) {
    const SolveResult result = run(test::rosenbrock(), start, options);
    EXPECT_EQ(result.trace[0].rule, "start");
    for (std::size_t k = 0; k < result.trace.size(); ++k) {
      EXPECT_EQ(result.trace[k].phase, "search");
      EXPECT_EQ(result.trace[k].iteration, static_cast<int>(k));
      EXPECT_EQ(result.trace[k].objective, test::rosenbrock().objective(result.trace[k].theta));
      EXPECT_EQ(result.trace[k].step > 0, k > 0);
      rules.insert(result.trace[k].rule);
    }
  }
  for (const std::string_view rule : rules)
    EXPECT_TRUE(rule == "start" || rule == "full" || rule == "damped" || rule == "resolution") << rule;
  EXPECT_TRUE(rules.contains("full"));
  EXPECT_TRUE(rules.contains("damped"));
}

// Beside 1e5 the half of a millionth that a step promises is not seen.
TEST(Descent, TakesAStepWhoseGainIsBelowTheResolution) {
  const test::Regression problem(1, [](const nlp::Point& q) {
    return test::Residuals{.r = {1e3 * (q[0] - 1), 450}, .J = {{1e3}, {0}}};
  });
  const SolveResult result = run(problem, {1 + 1e-6});
  EXPECT_EQ(result.ended, Ended::tolerance);
  ASSERT_EQ(result.trace.size(), 2u);
  EXPECT_EQ(result.trace[1].rule, "resolution");
  EXPECT_NEAR(result.q[0], 1, 1e-14);
}

// A gradient that is an error: it always promises as much, and never gains it.
TEST(Descent, EndsWhereStepsAreNoLongerSeen) {
  const test::Regression problem(
      1, [](const nlp::Point&) { return test::Residuals{.r = {1e-3}, .J = {{1e3}}, .objective = 1e5}; });
  const SolveResult result = run(problem, {0});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_EQ(result.iterations, DescentRules{}.most_unresolved + 1);
}

// (x + 1, 0.9 x^2 + x - 1) again, measured in sizes that shrink on the way.
TEST(Descent, KeepsWhatItHasLearntWhenUnitsChange) {
  const double c = 0.9;
  test::Regression problem(1, [&](const nlp::Point& q) {
    return test::Residuals{.r = {q[0] + 1, c * q[0] * q[0] + q[0] - 1}, .J = {{1}, {2 * c * q[0] + 1}}};
  });
  SolveOptions options;
  options.rules.descent.patience = 0;
  const SolveResult plain = run(problem, {0.2}, options);
  problem.sized([](const nlp::Point& q) { return std::vector<double>{std::exp(30 * q[0])}; });
  const SolveResult result = run(problem, {0.2}, options);
  EXPECT_NEAR(result.q[0], 0, 1e-5);
  EXPECT_LE(result.iterations, plain.iterations + 3);
}

TEST(Descent, LeavesTheLinearisationOfItsAnswer) {
  const SolveResult result = run(decay(), {0.1});
  nlp::Blocks fresh;
  ASSERT_TRUE(decay().linearize(result.q, fresh).ok);
  ASSERT_EQ(result.linearized.chains.size(), 1u);
  EXPECT_EQ(result.linearized.chains[0].rows[0].r, fresh.chains[0].rows[0].r);
  EXPECT_EQ(result.linearized.chains[0].rows[0].by_theta.data, fresh.chains[0].rows[0].by_theta.data);
}

TEST(Descent, IsAtItsEndWhereThereIsNothingToEstimate) {
  const test::Regression problem(0, [](const nlp::Point&) { return test::Residuals{.r = {2}, .J = {{}}}; });
  const SolveResult result = run(problem, {});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_EQ(result.objective, 2);
}

}  // namespace
}  // namespace salvo::solve
