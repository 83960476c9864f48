#include "model/faults.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "helpers/problems.hpp"

namespace salvo::model {
namespace {

std::string first_fault(const Problem& problem) {
  const Issues issues = faults(problem);
  return issues.empty() ? "" : issues.front().message;
}

TEST(Faults, AreNoneInAWholeProblem) { EXPECT_EQ(first_fault(test::predator_prey()), ""); }

TEST(Faults, NameWhatWasForgotten) {
  Problem problem = test::predator_prey();
  problem.experiments[0].initial.clear();
  EXPECT_EQ(first_fault(problem), "the experiment 'default' has 0 initial values for 2 states");
  problem = test::predator_prey();
  problem.states[1].derivative = expression::no_node;
  EXPECT_EQ(first_fault(problem), "the equation of x2 is missing");
  problem = test::predator_prey();
  problem.experiments.clear();
  EXPECT_EQ(first_fault(problem), "it has no experiment");
}

TEST(Faults, NameWhatIsOutOfRange) {
  Problem problem = test::predator_prey();
  problem.measurements[3].observable = 7;
  EXPECT_EQ(first_fault(problem), "measurement 3 is of observable 7, which is none");
  problem = test::predator_prey();
  problem.measurements[3].time = -1;
  EXPECT_EQ(first_fault(problem), "measurement 3 is at t = -1, before its experiment starts");
  problem = test::predator_prey();
  problem.measurements[3].value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(first_fault(problem), "measurement 3 has no finite value");
}

TEST(Faults, NameTimesThatCannotBeComputedWith) {
  Problem problem = test::predator_prey();
  problem.measurements[3].time = 1e306;
  EXPECT_EQ(first_fault(problem), "measurement 3 is at t = 1e+306; times beyond 1e+100 need another unit");
  problem.measurements[3].time = 5e-324;
  EXPECT_EQ(first_fault(problem),
            "measurement 3 is at t = 5e-324, after less than 1e-100 of its experiment; such times need another unit");
  problem = test::predator_prey();
  problem.experiments[0].start = -1e200;
  EXPECT_EQ(first_fault(problem),
            "the experiment 'default' starts at t = -1e+200; times beyond 1e+100 need another unit");
}

}  // namespace
}  // namespace salvo::model
