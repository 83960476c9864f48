#include "results/optima.hpp"

#include <gtest/gtest.h>

namespace salvo {
namespace {

StartResult start_at(int start, double objective, double p, int minimum, Status status = Status::converged) {
  return {.start = start, .status = status, .objective = objective, .minimum = minimum, .parameters = {{"p", p}}};
}

TEST(DistinctOptima, ComeBestFirstWithTheStartsThatFoundThem) {
  const auto optima = distinct_optima({start_at(0, 7, 3, 1), start_at(1, -2, 1, 0), start_at(2, 7 + 1e-6, 3, 1),
                                       start_at(3, -50, 9, -1, Status::stalled), start_at(4, 7 + 1e-2, 4, 2)});
  ASSERT_EQ(optima.size(), 3U);
  EXPECT_EQ(optima[0].objective, -2);
  EXPECT_EQ(optima[0].parameters[0].second, 1);
  EXPECT_EQ(optima[1].starts, (std::vector<int>{0, 2}));
  EXPECT_TRUE(optima[1].is_one_point);
  EXPECT_EQ(optima[2].starts, std::vector<int>{4});
}

TEST(DistinctOptima, OfOneObjectiveAreTwoIfTheParametersTellThemApart) {
  const auto optima = distinct_optima({start_at(0, 3, 1, 0), start_at(1, 3, -1, 1)});
  ASSERT_EQ(optima.size(), 2U);
  EXPECT_TRUE(optima[0].is_one_point);
}

// Along a direction that the data do not see, starts with other parameters have found the same.
TEST(DistinctOptima, SayThatTheirParametersDiffer) {
  const auto optima = distinct_optima({start_at(0, 3, 1, 0), start_at(1, 3, 5, 0)});
  ASSERT_EQ(optima.size(), 1U);
  EXPECT_FALSE(optima[0].is_one_point);
}

TEST(StartsThatDidNotConverge, AreCountedByTheirStatus) {
  const auto counts =
      not_converged({start_at(0, 1, 1, 0), start_at(1, 1, 1, -1, Status::stalled),
                     start_at(2, 1, 1, -1, Status::infeasible), start_at(3, 1, 1, -1, Status::stalled)});
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].status, Status::infeasible);
  EXPECT_EQ(counts[0].count, 1);
  EXPECT_EQ(counts[1].status, Status::stalled);
  EXPECT_EQ(counts[1].count, 2);
}

}  // namespace
}  // namespace salvo
