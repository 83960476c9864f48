#include "model/only.hpp"

#include <gtest/gtest.h>

#include "helpers/problems.hpp"

namespace salvo::model {
namespace {

Problem three() {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "x", "0.1");
  for (const char* id : {"a", "b", "empty"}) builder.experiment(id, {std::string("1")});
  builder.measure(0, 0, 1, 10).measure(1, 0, 1, 20).measure(0, 0, 2, 30);
  return builder.build();
}

TEST(KeepOnly, LeavesTheMeasurementsOfTheseExperiments) {
  Problem problem = three();
  problem.validation = problem.measurements;
  EXPECT_TRUE(keep_only(problem, {"a"}).empty());
  ASSERT_EQ(problem.measurements.size(), 2u);
  EXPECT_EQ(problem.measurements[1].value, 30);
  EXPECT_EQ(problem.validation.size(), 2u);
  EXPECT_EQ(problem.experiments.size(), 3u);
}

TEST(KeepOnly, KeepsTheRowsOfPetabBesideTheirMeasurements) {
  Problem problem = three();
  problem.petab.emplace();
  problem.petab->measurements = {.header = {"measurement"}, .rows = {{"10"}, {"20"}, {"30"}}};
  EXPECT_TRUE(keep_only(problem, {"a"}).empty());
  EXPECT_EQ(problem.petab->measurements.rows, (std::vector<std::vector<std::string>>{{"10"}, {"30"}}));
}

TEST(KeepOnly, TakesTheSteadyStateOfAnExperimentAlong) {
  Problem problem = three();
  problem.experiments[1].initial_of = 0;
  EXPECT_TRUE(keep_only(problem, {"a"}).empty());
  EXPECT_EQ(problem.measurements.size(), 3u);
}

TEST(KeepOnly, TellsOfNamesThatNoExperimentHasAndOfNoData) {
  Problem problem = three();
  const Issues unknown = keep_only(problem, {"a", "c"});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0].message, "there is no experiment 'c'");
  EXPECT_EQ(problem.measurements.size(), 3u);
  const Issues empty = keep_only(problem, {"empty"});
  ASSERT_EQ(empty.size(), 1u);
  EXPECT_EQ(empty[0].message, "nothing was measured in these experiments");
}

}  // namespace
}  // namespace salvo::model
