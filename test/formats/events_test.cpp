#include <gtest/gtest.h>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::events_test {
namespace {

using model::Event;

model::Problem read(const std::string& lines, const std::string& data = good_data()) {
  const Folder folder({{"problem.yaml", longer(lines)}, {"data.csv", data}});
  auto result = read_problem(folder / "problem.yaml");
  if (!result) {
    for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
    return {};
  }
  return *std::move(result);
}

std::vector<std::string> times_of(const model::Problem& problem, const Event& event) {
  std::vector<std::string> times;
  for (const model::NodeId time : std::get<model::AtTimes>(event.trigger).times)
    times.push_back(print(problem.graph, time));
  return times;
}

using Texts = std::vector<std::string>;

TEST(Events, AreReadWithTheirTimes) {
  const auto problem = read(
      "events:\n  - {at: 1, set: {x1: x1 + p3}}\n  - {at: p1, set: {x1: 0}}\n  - {at: [0, 2*p3, 12 + p1], add: {x2: "
      "p2}}\n");
  ASSERT_EQ(problem.events.size(), 3u);
  EXPECT_EQ(times_of(problem, problem.events[0]), (Texts{"1"}));
  EXPECT_EQ(times_of(problem, problem.events[1]), (Texts{"p1"}));
  EXPECT_EQ(times_of(problem, problem.events[2]), (Texts{"0", "2*p3", "p1 + 12"}));
  EXPECT_EQ(problem.events[2].text, "at 0, 2*p3, 12 + p1");
  EXPECT_TRUE(problem.events[0].experiments.empty());
}

TEST(Events, SetAndAddChangeStates) {
  const auto problem = read("events:\n  - {at: 1, set: {x2: x1*t}, add: {x1: p2}}\n");
  const Event& event = problem.events.at(0);
  ASSERT_EQ(event.assignments.size(), 2u);
  EXPECT_EQ(event.assignments[0].state, 1);
  EXPECT_EQ(print(problem.graph, event.assignments[0].value), "t*x1");
  EXPECT_EQ(event.assignments[1].state, 0);
  EXPECT_EQ(print(problem.graph, event.assignments[1].value), "x1 + p2");
}

TEST(Events, HaveConditions) {
  const auto problem = read("events:\n  - {when: x1 > 3 && t < 5, set: {x1: 0}}\n");
  const auto& when = std::get<model::When>(problem.events.at(0).trigger);
  EXPECT_EQ(print(problem.graph, when.condition), "3 < x1 && t < 5");
  EXPECT_EQ(problem.events[0].text, "when x1 > 3 && t < 5");
}

TEST(Events, RepeatFromTheStartToTheLastMeasurement) {
  const auto problem = read("events:\n  - {every: p3, add: {x1: 1}}\n");  // p3 is 0.5, the last measurement at 2
  EXPECT_EQ(times_of(problem, problem.events.at(0)), (Texts{"0", "0.5", "1", "1.5", "2"}));
}

TEST(Events, RepeatBetweenStatedTimesBothIncluded) {
  const auto problem = read("events:\n  - {every: 0.1, from: 0.4, until: 0.7, add: {x1: 1}}\n");
  EXPECT_EQ(times_of(problem, problem.events.at(0)).size(), 4u);
}

TEST(Events, ThatBeginAtAnEstimatedTimeAreEnoughForTheEarliestBeginning) {
  const auto problem = read("events:\n  - {every: 1, from: p1, add: {x1: 1}}\n");
  EXPECT_EQ(times_of(problem, problem.events.at(0)), (Texts{"p1", "p1 + 1", "p1 + 2"}));
}

TEST(Events, RepeatInEachExperimentFromItsOwnStartToItsOwnEnd) {
  const auto problem = read("experiments:\n  a: {}\n  b: {start: 1}\n  c: {}\nevents:\n  - {every: 1, add: {x1: 1}}\n",
                            "time,experiment,predator,prey\n2,a,1,1\n3,b,1,1\n2,c,1,1\n");
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_EQ(times_of(problem, problem.events[0]), (Texts{"0", "1", "2"}));
  EXPECT_EQ(problem.events[0].experiments, (std::vector<int>{0, 2}));
  EXPECT_EQ(times_of(problem, problem.events[1]), (Texts{"1", "2", "3"}));
  EXPECT_EQ(problem.events[1].experiments, (std::vector<int>{1}));
}

TEST(Events, OfExperimentsStandInTheOrderOfTheFile) {
  const auto problem = read(
      "experiments:\n  a: {events: [{at: 1, set: {x1: 1}}]}\n  b:\n    events:\n      - {at: 1, set: {x1: 2}}\n"
      "events:\n  - {at: 1, set: {x1: 3}}\n",
      "time,experiment,predator,prey\n2,a,1,1\n3,b,1,1\n");
  ASSERT_EQ(problem.events.size(), 3u);
  EXPECT_EQ(problem.events[0].experiments, (std::vector<int>{0}));
  EXPECT_EQ(problem.events[1].experiments, (std::vector<int>{1}));
  EXPECT_TRUE(problem.events[2].experiments.empty());
  EXPECT_TRUE(problem.events[0].acts_in(0));
  EXPECT_FALSE(problem.events[0].acts_in(1));
  EXPECT_TRUE(problem.events[2].acts_in(1));
}

}  // namespace
}  // namespace salvo::formats::events_test
