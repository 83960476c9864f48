#include "shooting/plan.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

TEST(Plan, PutsMeasurementsInsideIntervalsAndAtTheirFirstNodes) {
  const model::Problem problem = test::predator_prey();  // both states at t = 0, 1 ... 10
  const auto model = compile::compile(problem);
  const Subject subject(problem, *model, {});
  const std::vector<Grid> grids = make_grids(problem, model::NodeTimes{{2.5, 5}});
  const Plan plan = make_plan(subject, grids);
  ASSERT_EQ(plan.intervals.size(), 3u);
  EXPECT_EQ(plan.intervals[0].measured.size(), 2u * 3);
  EXPECT_EQ(plan.intervals[0].inner_rows, 2 * 2);
  const auto& stops = plan.intervals[0].stops;
  EXPECT_EQ(std::vector<double>(stops.begin(), stops.end()), (std::vector<double>{1, 2, 2.5}));
  EXPECT_EQ(plan.intervals[2].inner_rows, 2 * 4) << "t = 5 is a node";
  EXPECT_EQ(plan.final_node[0].size(), 2u);
  EXPECT_EQ(plan.row_count[0], (std::vector<int>{6, 4, 10, 2}));
  EXPECT_EQ(plan.most_stops, 5u);
}

TEST(Plan, SaysWhatEveryRowStandsFor) {
  const model::Problem problem = test::rich_problem();
  const auto model = compile::compile(problem);
  const Subject subject(problem, *model, {});
  const Plan plan = make_plan(subject, make_grids(problem, model::SingleInterval{}));
  int priors = 0;
  std::vector<int> means(problem.measurements.size(), 0);
  for (const RowMeaning& row : row_meanings(subject, plan)) {
    if (row.measurement < 0)
      ++priors;
    else if (!row.of_noise)
      ++means[row.measurement];
  }
  EXPECT_EQ(priors, 1);  // of an initial value
  EXPECT_EQ(means, std::vector<int>(problem.measurements.size(), 1));
}

TEST(Plan, KnowsOnceForAllNodesWhichThetasAct) {
  const model::Problem problem = test::rich_problem();
  const auto model = compile::compile(problem);
  const Subject subject(problem, *model, {});
  EXPECT_EQ(subject.thetas.thetas, 4);
  EXPECT_EQ(subject.theta_priors, 1);
  for (const Acting& acting : subject.acting) EXPECT_GE(acting.from_start, acting.from_nodes);
}

}  // namespace
}  // namespace salvo::shooting
