#include "design/refine.hpp"

#include <gtest/gtest.h>

#include "design/words.hpp"

namespace salvo::design {
namespace {

using Eigen::MatrixXd;

// One quantity, whose row is t e^{-t u} and most at t = 1/u; u itself is to be as small as may be.
TEST(Refinement, FindsTheTimeAndTheLevelBetweenTheirNeighbours) {
  Problem problem{.criterion = model::DesignCriterion::D};
  problem.points.push_back({.K = MatrixXd::Identity(1, 1), .known = MatrixXd::Zero(1, 1)});
  model::Design design;
  design.factors.push_back({.id = "u", .levels = {0.5, 1, 1.5}, .range = std::pair(0.7, 1.5)});
  int calls = 0;
  const RowsOf rows = [&](const std::vector<Setting>& settings, const std::vector<Sample>& samples) {
    ++calls;
    std::vector<MatrixXd> out;
    for (const Sample& sample : samples)
      out.push_back(
          MatrixXd::Constant(1, 1, sample.time * std::exp(-sample.time * settings[sample.experiment - 1][0])));
    return std::optional(std::vector<std::vector<MatrixXd>>{out});
  };
  const Movable start{
      .samples = {{.experiment = 1, .time = 1}}, .settings = {{1.0}}, .times = {{0.5, 2.0}}, .step = {0.5}};
  const Moved moved = refine(problem, design, 1, start, rows, [] { return false; });
  EXPECT_NEAR(moved.settings[0][0], 0.7, 1e-9);
  EXPECT_NEAR(moved.samples[0].time, 1 / 0.7, 1e-4);
  EXPECT_NEAR(moved.loss, -2 * std::log(std::exp(-1.0) / 0.7), 1e-8);
  EXPECT_EQ(moved.linearizations, calls);
}

TEST(Refinement, StaysWhereNothingCanBeComputed) {
  Problem problem{.criterion = model::DesignCriterion::D};
  problem.points.push_back({.K = MatrixXd::Identity(1, 1), .known = MatrixXd::Zero(1, 1)});
  const RowsOf none = [](const auto&, const auto&) { return std::optional<std::vector<std::vector<MatrixXd>>>{}; };
  const Movable start{.samples = {{.experiment = 0, .time = 1}}, .times = {{0.5, 2.0}}, .step = {0.5}};
  const Moved moved = refine(problem, {}, 1, start, none, [] { return false; });
  EXPECT_EQ(moved.samples[0].time, 1);
  EXPECT_TRUE(std::isinf(moved.loss));
}

TEST(DesignWords, TellTimesThatAreRepeatedAndExperimentsThatDiffer) {
  const std::vector<Taken> same{{.observables = {"y"}, .experiment = "default", .time = 2.65, .count = 2},
                                {.observables = {"y"}, .experiment = "default", .time = 8}};
  EXPECT_EQ(taken_in_words(same), "2.65 (twice) and 8");
  const std::vector<Taken> several{{.observables = {"y"}, .experiment = "low", .time = 1, .count = 3},
                                   {.observables = {"z"}, .experiment = "high", .time = 2}};
  EXPECT_EQ(taken_in_words(several), "y at 1 (3 times) of low; z at 2 of high");
  EXPECT_EQ(direction_in_words({.parts = {{"a", -1}, {"b", 1}}}), "a by -1 % and b by +1 % together");
}

}  // namespace
}  // namespace salvo::design
