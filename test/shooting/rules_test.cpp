#include "shooting/rules.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "helpers/samples.hpp"
#include "shooting/nodes.hpp"

namespace salvo::shooting {
namespace {

TEST(Rules, AreWalkedEachOnce) {
  Rules rules;
  std::set<std::string> names;
  int count = 0;
  Rules::each(rules, [&](const char* name, double& number) {
    names.insert(name);
    ++count;
    EXPECT_GT(number, 0) << name;
  });
  EXPECT_EQ(static_cast<int>(names.size()), count);
  EXPECT_EQ(count * sizeof(double), sizeof(Rules)) << "each number has its name";
}

TEST(Rules, ShapeTheFirstGridFromTheOptions) {
  const model::Problem problem = test::predator_prey();
  EXPECT_EQ(first_grids(problem)[0].intervals(), 10);
  EXPECT_EQ(first_grids(problem, {.most_intervals = 5, .least_intervals = 1})[0].intervals(), 5);
}

TEST(Rules, BoundCautiousStepsFromTheOptions) {
  const test::Sample sample{"", test::rich_problem(), model::NodesAtMeasurements{}};
  const auto usual = test::lay_out(sample, {});
  const auto bold = test::lay_out(sample, {.rules = {.cautious_factor = 10}});
  EXPECT_NEAR(usual->layout().reach_up[1], std::log10(2.5), 1e-15);
  EXPECT_NEAR(bold->layout().reach_up[1], 1, 1e-15);
}

}  // namespace
}  // namespace salvo::shooting
