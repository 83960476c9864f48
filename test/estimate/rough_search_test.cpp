#include "estimate/ways/nodes.hpp"
#include "laid_out.hpp"
#include "solve/method/gauss_newton.hpp"

namespace salvo::estimate {
namespace {

// The steps that a search saves are not taken afterwards: far fewer evaluations than where the tolerance never changes.
TEST(RoughSearch, SavesEvaluationsOfTheEquations) {
  const Options at_once{.nodes = model::NodesAtMeasurements{}, .integrator = model::Dopri5{1e-5}};
  const Options in_the_end{.nodes = model::NodesAtMeasurements{}, .integrator = model::Dopri5{1e-10}};
  test::LaidOut rough(test::predator_prey(), in_the_end);
  test::LaidOut precise(test::predator_prey(), in_the_end);
  precise.setup.laid.search_accuracy = 0;
  ASSERT_EQ(run_solver(rough.setup, {}).ended, solve::Ended::tolerance);
  ASSERT_EQ(run_solver(precise.setup, {}).ended, solve::Ended::tolerance);
  EXPECT_LT(rough.workspace.work().rhs, 0.85 * static_cast<double>(precise.workspace.work().rhs));
  const test::LaidOut nothing_to_save(test::predator_prey(), at_once);
  EXPECT_EQ(nothing_to_save.setup.laid.search_accuracy, 0);
}

TEST(RoughSearch, LeavesNothingRoughBehindWhereverItEnds) {
  for (const int most : {0, 1, 2, 200}) {
    test::LaidOut laid(test::predator_prey(), {.max_iterations = most});
    estimate::Setup& setup = laid.setup;
    EXPECT_GT(setup.laid.search_accuracy, 0);
    const solve::SolveResult result = run_solver(setup, {});
    ASSERT_EQ(result.ended, most < 200 ? solve::Ended::iterations : solve::Ended::tolerance);
    nlp::Blocks at_end;
    ASSERT_TRUE(setup.shooting->values(result.q, at_end).ok);
    EXPECT_EQ(result.objective, at_end.objective) << most;
    EXPECT_EQ(result.gap, at_end.gap) << most;
    ASSERT_TRUE(setup.shooting->values(result.q, {.accuracy = setup.laid.search_accuracy}, at_end).ok);
    EXPECT_NE(result.gap, at_end.gap) << most;
  }
}

// Steps are short after two iterations; it ends after one where no more are allowed.
TEST(RoughSearch, EndsWhereStepsAreShortAndAfterSoManyIterations) {
  for (const int allowed : {1, 100}) {
    test::LaidOut laid(test::predator_prey(), {.nodes = model::NodesAtMeasurements{}});
    estimate::Setup& setup = laid.setup;
    setup.solve.search_iterations = allowed;
    setup.solve.search_accuracy = setup.laid.search_accuracy;
    const solve::SolveResult result = solve::gauss_newton(*setup.shooting, setup.start, setup.solve, {});
    ASSERT_EQ(result.ended, solve::Ended::tolerance);
    EXPECT_EQ(result.request.accuracy, 0);
    int ended_after = 0;  // the last iteration of the search
    for (const solve::Iteration& iteration : result.trace)
      if (iteration.phase == "search") ended_after = iteration.iteration;
    if (allowed == 1) {
      EXPECT_EQ(ended_after, 1);
    } else {
      EXPECT_GE(ended_after, 2);
      EXPECT_GT(result.trace[ended_after].step, 1e-3);
      EXPECT_LE(result.trace[ended_after + 1].step, 1e-3);
    }
  }
}

}  // namespace
}  // namespace salvo::estimate
