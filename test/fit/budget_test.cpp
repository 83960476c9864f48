#include <gtest/gtest.h>

#include "estimate/estimate.hpp"
#include "fits.hpp"

namespace salvo::fit {
namespace {

// A decay whose state is measured, so that nodes are the first way to fit it.
model::Problem seen_decay() {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).observable("y", "x", "0.01");
  builder.experiment(model::default_experiment, {test::estimated(2)});
  for (int j = 0; j <= 6; ++j) builder.measure(0, 0, 0.5 * j, 3 * std::exp(-0.7 * 0.5 * j));
  return builder.build();
}

Solved solved_within(const Budget& budget) {
  static const model::Problem problem = seen_decay();
  return solve_from_guess(problem, {}, nullptr, {}, nullptr, budget);
}

const std::string by_one_trajectory = "single shooting from the guess gave a better fit than multiple shooting";

TEST(Budget, NodesThatFindTheAnswerAreTheOnlyWay) {
  const Solved solved = solved_within({});
  EXPECT_TRUE(is_converged(solved));
  EXPECT_EQ(solved.remark, "");
}

TEST(Budget, NodesThatHaveTakenTheirShareLeaveTheRestToOtherWays) {
  const Solved solved = solved_within({.first_way = 1e-9, .least_passes = 0});
  EXPECT_TRUE(is_converged(solved));
  EXPECT_EQ(solved.remark, by_one_trajectory);
  EXPECT_NEAR(solved.result.q.at(0), 0.7, 1e-6);
}

TEST(Budget, NodesMayTakeAHundredPassesWhateverTheyCost) {
  const Solved solved = solved_within({.first_way = 1e-9});
  EXPECT_TRUE(is_converged(solved));
  EXPECT_EQ(solved.remark, "");
}

TEST(Budget, NothingElseIsBegunOnceItIsSpent) {
  const Solved solved = solved_within({.evaluations = 1, .first_way = 1e-9, .least_passes = 0});
  EXPECT_FALSE(is_converged(solved));
  EXPECT_EQ(solved.remark, "");
}

}  // namespace
}  // namespace salvo::fit
