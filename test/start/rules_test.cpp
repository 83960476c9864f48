#include "start/rules.hpp"

#include <gtest/gtest.h>

#include <set>

#include "helpers/fields.hpp"
#include "helpers/samples.hpp"
#include "start/start.hpp"

namespace salvo::start {
namespace {

TEST(StartRules, AreAllReachedByAWalk) {
  test::Walked walked;
  test::walk(Rules{}, walked);
  EXPECT_TRUE(walked.is_complete);
  const std::set<std::string> different(walked.names.begin(), walked.names.end());
  EXPECT_EQ(different.size(), walked.names.size());
  EXPECT_TRUE(different.contains("good_match"));
}

TEST(StartRules, AreHandedDown) {
  const test::Sample sample{"", test::predator_prey(), model::NodesAtMeasurements{}};
  const auto problem = test::lay_out(sample, {});
  const auto choice = [&](const Rules& rules) {
    return start_point(*problem, model::StartValues::automatic, Improvement::match, {}, false, rules).choice;
  };
  const std::string usual = choice({});
  EXPECT_EQ(usual, "parameters from integral matching of x1, x2, nodes from smoothed data");
  Rules rules;
  rules.curves.fewest_points = 12;  // of eleven measurements
  EXPECT_EQ(choice(rules), "parameters as guessed, hidden states simulated");
  rules = {};
  rules.matching.most_operations = 1;
  EXPECT_EQ(choice(rules), "parameters as guessed, nodes from smoothed data");
}

}  // namespace
}  // namespace salvo::start
