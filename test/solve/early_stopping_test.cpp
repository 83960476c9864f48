#include "solve/method/early_stopping.hpp"

#include <gtest/gtest.h>

#include "decay_chain.hpp"
#include "solve/method/lagrangian.hpp"
#include "solve/method/observers.hpp"

namespace salvo::solve {
namespace {

// A score that is best at theta = 0.3, which the run passes on its way to 0.5.
TEST(EarlyStopping, GivesTheBestPointThatWasSeen) {
  const test::DecayChain problem(test::noisy);
  SolveOptions options;
  options.judge = [](const nlp::Point& q) { return Judged{.score = 1e3 * std::abs(q[0] - 0.3), .q = q}; };
  const SolveResult result = lagrangian(problem, problem.start(0.1), options, {});
  ASSERT_TRUE(result.best_iteration.has_value());
  for (const Iteration& row : result.trace)
    if (row.iteration > 0) EXPECT_LE(std::abs(result.q[0] - 0.3), std::abs(row.theta[0] - 0.3));
}

// A score that never improves: the run ends after its patience, for that reason.
TEST(EarlyStopping, EndsARunAfterItsPatience) {
  const test::DecayChain problem(test::noisy);
  SolveOptions options;
  options.tolerance = options.rules.gaps.closed = 0;
  options.judge = [](const nlp::Point& q) { return Judged{.score = 1, .q = q}; };
  const SolveResult result = lagrangian(problem, problem.start(0.1), options, {});
  EXPECT_EQ(result.ended, Ended::early_stopping);
  EXPECT_TRUE(result.claims_minimum);
  EXPECT_EQ(result.best_iteration, 1);
}

// What watches a run is no part of its state.
TEST(Observers, ChangeNothing) {
  const test::DecayChain problem(test::noisy);
  SolveOptions watched;
  watched.judge = [](const nlp::Point& q) { return Judged{.score = -q[0], .q = q}; };
  watched.max_iterations = 5;
  SolveOptions alone;
  alone.max_iterations = 5;
  int told = 0;
  const RunContext context{.listener = [&told](const Event&) { ++told; }};
  const State a = lagrangian(problem, problem.start(0.1), watched, context).state;
  const State b = lagrangian(problem, problem.start(0.1), alone, {}).state;
  EXPECT_EQ(a, b);
  EXPECT_EQ(told, 6);
}

}  // namespace
}  // namespace salvo::solve
