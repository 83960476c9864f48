#include "results/optima.hpp"

#include "fits.hpp"

namespace salvo::fit {
namespace {

StartResult start_at(int start, double objective, double p, Status status = Status::converged) {
  return {.start = start, .status = status, .objective = objective, .parameters = {{"p", p}}};
}

TEST(DistinctOptima, ComeBestFirstWithTheStartsThatFoundThem) {
  const auto optima = distinct_optima({start_at(0, 7, 3), start_at(1, -2, 1), start_at(2, 7 + 1e-6, 3),
                                       start_at(3, -50, 9, Status::stalled), start_at(4, 7 + 1e-2, 3)});
  ASSERT_EQ(optima.size(), 3U);
  EXPECT_EQ(optima[0].objective, -2);
  EXPECT_EQ(optima[0].parameters[0].second, 1);
  EXPECT_EQ(optima[1].starts, (std::vector<int>{0, 2}));
  EXPECT_TRUE(optima[1].is_one_point);
  EXPECT_EQ(optima[2].starts, std::vector<int>{4});
}

TEST(DistinctOptima, DoNotDriftAlongAChainOfNeighbours) {
  std::vector<StartResult> chain;
  for (int n = 0; n < 10; ++n) chain.push_back(start_at(n, 8e-4 * n, 1));
  EXPECT_EQ(distinct_optima(chain).size(), 5U);  // each holds two: the third is 1.6e-3 away from the first
}

TEST(DistinctOptima, OfOneObjectiveAreOneEvenIfTheParametersDiffer) {
  const auto optima = distinct_optima({start_at(0, 3, 1), start_at(1, 3, -1)});
  ASSERT_EQ(optima.size(), 1U);
  EXPECT_FALSE(optima[0].is_one_point);
}

// x = cos(w t) is the same for w and -w.
TEST(DistinctOptima, AMirroredFrequencyIsOneOptimum) {
  test::Builder builder({{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::within(1.1, -3, 3)).observable("seen", "x", "0.01");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 0; j <= 10; ++j) builder.measure(0, 0, 0.4 * j, std::cos(0.4 * j));
  const FitResult result = test::fit_of(builder.build(), {.starts = 8, .seed = 2});
  const auto optima = distinct_optima(result.starts);
  ASSERT_FALSE(optima.empty()) << result.message;
  EXPECT_NEAR(std::abs(optima[0].parameters[0].second), 1, 1e-6);
  bool plus = false;
  bool minus = false;
  for (const StartResult& start : result.starts) {
    plus = plus || std::abs(start.parameters[0].second - 1) < 1e-6;
    minus = minus || std::abs(start.parameters[0].second + 1) < 1e-6;
  }
  EXPECT_EQ(optima[0].is_one_point, !(plus && minus));
  EXPECT_TRUE(plus && minus);
}

TEST(StartsThatDidNotConverge, AreCountedByTheirStatus) {
  const auto counts = not_converged({start_at(0, 1, 1), start_at(1, 1, 1, Status::stalled),
                                     start_at(2, 1, 1, Status::infeasible), start_at(3, 1, 1, Status::stalled)});
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].status, Status::infeasible);
  EXPECT_EQ(counts[0].count, 1);
  EXPECT_EQ(counts[1].status, Status::stalled);
  EXPECT_EQ(counts[1].count, 2);
}

}  // namespace
}  // namespace salvo::fit
