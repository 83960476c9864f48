#include <gtest/gtest.h>

#include <chrono>

#include "decay_chain.hpp"
#include "solve/method/gauss_newton.hpp"
#include "solve/method/lagrangian.hpp"
#include "solve/method/scalar_sqp.hpp"

namespace salvo::solve {
namespace {

using test::DecayChain;

using test::noisy;

struct Solver {
  const char* name;
  double accuracy;  // what the method can reach
  SolveResult (*run)(const nlp::Problem&, nlp::Point, const SolveOptions&, const RunContext&);
};

class EverySolver : public ::testing::TestWithParam<Solver> {};

TEST_P(EverySolver, FindTheBestPoint) {
  const DecayChain problem(noisy);
  const SolveResult result = GetParam().run(problem, problem.start(0.1), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  const double theta = problem.best_theta(0, 2);
  EXPECT_NEAR(result.q[0], theta, GetParam().accuracy);
  EXPECT_NEAR(result.q[1], problem.best_first(theta), GetParam().accuracy);
  EXPECT_NEAR(result.objective, 0.5 * problem.sum_of_squares(theta), GetParam().accuracy);
  EXPECT_LE(result.gap, 1e-6);
}

TEST_P(EverySolver, StopAtABoundThatIsInTheWay) {
  DecayChain problem(noisy);
  const double theta = problem.best_theta(0, 2);
  problem.bound(-1, theta - 0.2);
  const SolveResult result = GetParam().run(problem, problem.start(0.1), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  EXPECT_NEAR(result.q[0], theta - 0.2, 1e-12);
  EXPECT_NEAR(result.q[1], problem.best_first(theta - 0.2), GetParam().accuracy);
}

TEST_P(EverySolver, LeaveABoundTheyStartAt) {
  DecayChain problem(noisy);
  problem.bound(0.05, 5);
  const SolveResult result = GetParam().run(problem, problem.start(0.05), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  EXPECT_NEAR(result.q[0], problem.best_theta(0, 2), GetParam().accuracy);
}

TEST_P(EverySolver, SayWhyAStartCannotBeEvaluated) {
  const DecayChain problem(noisy, 0.5);
  const SolveResult result = GetParam().run(problem, problem.start(0.7), {}, {});
  EXPECT_EQ(result.ended, Ended::not_computable);
  EXPECT_EQ(result.trouble, "theta is out of reach");
  EXPECT_EQ(result.q, problem.start(0.7));
}

TEST_P(EverySolver, StepAroundWhatCannotBeEvaluated) {
  const DecayChain problem(noisy, 0.8);  // the best theta is near 0.5
  const SolveResult result = GetParam().run(problem, problem.start(-0.75), {}, {});
  ASSERT_EQ(result.ended, Ended::tolerance) << result.trouble;
  EXPECT_NEAR(result.q[0], problem.best_theta(0, 2), GetParam().accuracy);
}

TEST_P(EverySolver, StopWhenAsked) {
  const DecayChain problem(noisy);
  int heard = 0;
  const RunContext context{.listener = [&heard](const Event&) { ++heard; },
                           .interrupted = [&heard] { return heard > 2; }};
  const SolveResult result = GetParam().run(problem, problem.start(0.1), {}, context);
  EXPECT_EQ(result.ended, Ended::interrupted);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(result.q.size(), noisy.size() + 1);
}

TEST_P(EverySolver, StopAtTheDeadline) {
  const DecayChain problem(noisy);
  const RunContext context{.deadline = std::chrono::steady_clock::now()};
  EXPECT_EQ(GetParam().run(problem, problem.start(0.1), {}, context).ended, Ended::deadline);
}

TEST_P(EverySolver, StopAfterTheIterationsTheyAreGiven) {
  const DecayChain problem(noisy);
  const SolveResult result = GetParam().run(problem, problem.start(0.1), {.max_iterations = 2}, {});
  EXPECT_NE(result.ended, Ended::tolerance);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(result.trace.size(), 3u);
}

TEST_P(EverySolver, TellEveryIteration) {
  const DecayChain problem(noisy);
  std::vector<IterationDone> told;
  const RunContext context{.listener = [&told](const Event& event) {
    if (const auto* done = std::get_if<IterationDone>(&event)) told.push_back(*done);
  }};
  const SolveResult result = GetParam().run(problem, problem.start(0.1), {}, context);
  ASSERT_EQ(told.size(), result.trace.size());
  for (std::size_t k = 0; k < told.size(); ++k) {
    EXPECT_EQ(result.trace[k].iteration, static_cast<int>(k));
    EXPECT_EQ(told[k].iteration, result.trace[k].iteration);
    EXPECT_EQ(told[k].gap, result.trace[k].gap);
    EXPECT_EQ(result.trace[k].theta.size(), 1u);
  }
  EXPECT_EQ(result.trace.back().theta[0], result.q[0]);
  EXPECT_EQ(result.trace.back().gap, result.gap);
}

INSTANTIATE_TEST_SUITE_P(Solver, EverySolver,
                         ::testing::Values(Solver{"gauss_newton", 1e-7, &gauss_newton},
                                           Solver{"lagrangian", 1e-7, &lagrangian},
                                           Solver{"scalar_sqp", 1e-3,
                                                  [](const nlp::Problem& problem, nlp::Point start,
                                                     const SolveOptions& options, const RunContext& context) {
                                                    return scalar_sqp(problem, std::move(start), 2, options, context);
                                                  }}),
                         [](const auto& solver) { return std::string(solver.param.name); });

TEST(GaussNewton, ConvergesQuadraticallyWithoutNoise) {
  std::vector<double> exact;
  for (int j = 0; j < 6; ++j) exact.push_back(2 * std::exp(-0.4 * j));
  const DecayChain problem(exact);
  const SolveResult result = gauss_newton(problem, problem.start(0.1), {}, {});
  EXPECT_EQ(result.ended, Ended::tolerance);
  EXPECT_NEAR(result.q[0], 0.4, 1e-12);
  EXPECT_LE(result.iterations, 7);
  bool quadratic = false;
  for (std::size_t k = 2; k < result.trace.size(); ++k)
    quadratic = quadratic || (result.trace[k - 1].step < 1e-2 &&
                              result.trace[k].step < 10 * std::pow(result.trace[k - 1].step, 2) + 1e-15);
  EXPECT_TRUE(quadratic);
}

// No multiplier of h = |G|^2 exists at the solution, so they must grow as the gaps close.
TEST(ScalarSqp, ItsMultipliersGrowAsTheGapsClose) {
  const DecayChain problem(noisy);
  const SolveResult result = scalar_sqp(problem, problem.start(0.1), 2, {}, {});
  double early = 0;
  for (const Iteration& iteration : result.trace)
    if (iteration.iteration == 3) early = iteration.multiplier;
  EXPECT_GT(result.trace.back().multiplier, 100 * early);
  EXPECT_GT(result.iterations, 15);  // a linear rate, never better
}

}  // namespace
}  // namespace salvo::solve
