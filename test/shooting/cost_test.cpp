#include "shooting/cost.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"
#include "integrate/work.hpp"

namespace salvo::shooting {
namespace {

TEST(Cost, OfAnIterationGrowsWithItsStages) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const double none = problem->iteration_work(0);
  const double one = problem->iteration_work(600) - none;
  EXPECT_GT(one, 0);
  EXPECT_NEAR(problem->iteration_work(1200) - none, 2 * one, 1e-9 * one);
}

// Ten intervals of equal length fill two packs and a half: twelve lanes at a third of the price of a trajectory.
TEST(Cost, CountsLanesThatStandEmpty) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const model::Derivatives tangent = model::Derivatives::tangent;
  const auto alone = test::lay_out(sample, {.derivatives = tangent, .lanes = 1});
  const auto packed = test::lay_out(sample, {.derivatives = tangent, .lanes = 4});
  const auto sweeps = [](const ShootingProblem& problem) {
    return problem.iteration_work(600) - problem.iteration_work(0);
  };
  EXPECT_NEAR(sweeps(*packed) / sweeps(*alone), 12.0 / 10 / 3, 1e-6);
}

TEST(Cost, ForeseesTheUsualStagesUntilSomeAreCounted) {
  const Rules rules;
  EXPECT_EQ(stages_of_an_interval({}, rules), rules.usual_stages);
  EXPECT_EQ(stages_of_an_interval({.trajectories = 4, .rhs = 100}, rules), 25);
}

TEST(Cost, MakesMachineCodeOnceTheInterpreterHasWorkedForItsPrice) {
  const auto model = compile::compile(test::predator_prey());
  const compile::Wanted wanted{.lanes = 4};
  const double price = compile::price_of_machine_code(*model, wanted);
  const auto is_worthwhile = [&](const WorkCount& so_far, int expected_reuse) {
    return is_machine_code_worthwhile({*model, wanted, so_far, 10, expected_reuse}, {});
  };
  const long enough = static_cast<long>(price);
  EXPECT_FALSE(is_worthwhile({}, 1));
  EXPECT_TRUE(is_worthwhile({.trajectories = enough, .rhs = enough}, 1));
  EXPECT_TRUE(is_worthwhile({}, 1'000'000));
}

// One sweep for each of d gaps against twenty products: with few thetas direct, with very many by products.
TEST(Cost, OfMethodsIsCountedInTheSameUnit) {
  const model::Problem problem = test::predator_prey();
  const auto model = compile::compile(problem);
  EXPECT_NEAR(gauss_newton_work(problem, *model, 20) - gauss_newton_work(problem, *model, 10),
              gauss_newton_work(problem, *model, 30) - gauss_newton_work(problem, *model, 20), 1e-6);
  EXPECT_LT(gauss_newton_work(problem, *model, 10), 2 * lagrangian_work(problem, *model, 10));
}

}  // namespace
}  // namespace salvo::shooting
