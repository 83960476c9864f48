#include "shooting/grid.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"

namespace salvo::shooting {
namespace {

std::vector<double> tau(const model::Nodes& nodes) { return make_grids(test::predator_prey(), nodes)[0].tau; }

TEST(Grid, HasTheNodesThatWereAskedFor) {
  EXPECT_EQ(tau(model::NodesAtMeasurements{}).size(), 11u);
  EXPECT_EQ(tau(model::SingleInterval{}), (std::vector<double>{0, 10}));
  EXPECT_EQ(tau(model::IntervalCount{4}), (std::vector<double>{0, 2.5, 5, 7.5, 10}));
  EXPECT_EQ(tau(model::NodeTimes{{7, 3}}), (std::vector<double>{0, 3, 7, 10}));
  EXPECT_EQ(tau(model::NodeTimes{{-1, 0, 3, 10, 12}}), (std::vector<double>{0, 3, 10}));
}

TEST(Grid, BelongsToOneExperimentEach) {
  const std::vector<Grid> grids = make_grids(test::rich_problem(), model::NodesAtMeasurements{});
  ASSERT_EQ(grids.size(), 2u);
  EXPECT_EQ(grids[0].tau, (std::vector<double>{0, 0.4, 1, 1.7, 2.5}));
  EXPECT_EQ(grids[1].tau, (std::vector<double>{0.5, 1.2, 3}));
  EXPECT_EQ(grids[1].experiment, 1);
}

TEST(Grid, StartsWhereTheExperimentStarts) {
  test::Builder builder = test::decay(test::estimated(1), "1");
  builder.measure(0, 0, 2, 0.1).measure(0, 0, 3, 0.05);
  EXPECT_EQ(make_grids(builder.build(), model::NodesAtMeasurements{})[0].tau, (std::vector<double>{0, 2, 3}));
}

TEST(Grid, LeavesOutExperimentsWithoutMeasurements) {
  test::Builder builder = test::decay(test::estimated(1), "1");
  builder.experiment("other", {"2"}).measure(1, 0, 1, 0.1);
  const std::vector<Grid> grids = make_grids(builder.build(), model::NodesAtMeasurements{});
  ASSERT_EQ(grids.size(), 1u);
  EXPECT_EQ(grids[0].experiment, 1);
}

}  // namespace
}  // namespace salvo::shooting
