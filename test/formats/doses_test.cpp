#include <gtest/gtest.h>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::doses_test {
namespace {

model::Problem read(const std::string& lines, const std::string& doses, const std::string& data = good_data()) {
  const Folder folder({{"problem.yaml", longer(lines)}, {"data.csv", data}, {"doses.csv", doses}});
  auto result = read_problem(folder / "problem.yaml");
  if (!result) {
    for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
    return {};
  }
  return *std::move(result);
}

using Texts = std::vector<std::string>;

Texts times_of(const model::Problem& problem, const model::Event& event) {
  Texts times;
  for (const model::NodeId time : std::get<model::AtTimes>(event.trigger).times)
    times.push_back(print(problem.graph, time));
  return times;
}

std::string amount_of(const model::Problem& problem, const model::Event& event) {
  return print(problem.graph, event.assignments.at(0).value);
}

const std::string two_experiments = "experiments:\n  a: {}\n  b: {set: {p3: 2*p1}}\n";
const std::string data_of_two = "time,experiment,predator,prey\n2,a,1,1\n3,b,1,1\n";

TEST(Doses, AreEventsThatAddToStates) {
  const auto problem = read("doses: doses.csv\n", "time,state,amount\n0,x1,100\n12 + p1,x1,100\n24,x2,p2*5\n");
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_EQ(times_of(problem, problem.events[0]), (Texts{"0", "p1 + 12"}));
  EXPECT_EQ(amount_of(problem, problem.events[0]), "x1 + 100");
  EXPECT_EQ(problem.events[1].assignments[0].state, 1);
  EXPECT_EQ(amount_of(problem, problem.events[1]), "x2 + 5*p2");
}

TEST(Doses, MayBeGivenOnDates) {
  const std::string calendar = "time: {unit: day, from: 2024-02-27}\n";
  const auto problem = read(calendar + "doses: doses.csv\nevents: [{at: 2024-03-02, set: {x2: 1}}]\n",
                            "time,state,amount\n2024-03-01,x1,100\n");
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_EQ(times_of(problem, problem.events[0]), (Texts{"3"}));
  EXPECT_EQ(times_of(problem, problem.events[1]), (Texts{"4"}));
}

TEST(Doses, OnDatesThatNobodyCountsAreNoNumbers) {
  const Folder folder({{"problem.yaml", longer("doses: doses.csv\nevents: [{at: 2024-03-02, set: {x2: 1}}]\n")},
                       {"data.csv", good_data()},
                       {"doses.csv", "time,state,amount\n2024-03-01,x1,100\n"}});
  const auto result = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(result);
  ASSERT_EQ(result.issues().size(), 2u);
  EXPECT_EQ(result.issues()[0].message, "the time of an event is a date");
  EXPECT_EQ(result.issues()[1].message, "the times are dates, such as '2024-03-01'");
  EXPECT_EQ(result.issues()[1].line, 2);
}

TEST(Doses, HaveABioavailabilityAndALag) {
  const auto problem =
      read("doses: {file: doses.csv, bioavailability: {x1: p1}, lag: p2}\n", "time,state,amount\n0,x1,100\n6,x2,50\n");
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_EQ(times_of(problem, problem.events[0]), (Texts{"p2"}));
  EXPECT_EQ(amount_of(problem, problem.events[0]), "x1 + 100*p1");
  EXPECT_EQ(times_of(problem, problem.events[1]), (Texts{"p2 + 6"}));
  EXPECT_EQ(amount_of(problem, problem.events[1]), "x2 + 50");
}

TEST(Doses, BelongToExperiments) {
  const auto problem = read(two_experiments + "doses: doses.csv\n",
                            "experiment,time,state,amount\nb,0,x1,100\n,1,x1,100\na,2,x1,100\n", data_of_two);
  ASSERT_EQ(problem.events.size(), 3u);
  EXPECT_EQ(problem.events[0].experiments, (std::vector<int>{1}));
  EXPECT_TRUE(problem.events[1].experiments.empty());
  EXPECT_EQ(problem.events[2].experiments, (std::vector<int>{0}));
}

TEST(Doses, StandBetweenEventsWhereTheirSectionStands) {
  const auto problem = read("events:\n  - {at: 0, set: {x1: 0}}\ndoses: doses.csv\n", "time,state,amount\n0,x1,100\n");
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_EQ(amount_of(problem, problem.events[1]), "x1 + 100");
}

TEST(Doses, WithADurationFlowIntoTheRate) {
  const auto problem = read("doses: doses.csv\n", "time,state,amount,duration\n1,x1,100,4\n2,x1,5,\n");
  EXPECT_EQ(problem.events.size(), 1u);
  EXPECT_EQ(print(problem.graph, problem.states[0].derivative),
            "-p1*x1 + x1*p2*x2 + piecewise(25, 1 <= t && t < 5, 0)");
  EXPECT_EQ(problem.parameters.size(), 4u);
}

TEST(Doses, WithADurationDifferBetweenExperiments) {
  const auto problem =
      read(two_experiments + "doses: {file: doses.csv, lag: p3}\n",
           "experiment,time,state,amount,duration\na,1,x1,100,4\nb,2,x1,5,p2\nb,9,x1,5,1\n", data_of_two);
  ASSERT_EQ(problem.parameters.size(), 10u);  // rate, begin and end of two infusions
  EXPECT_EQ(problem.parameters[4].id, "rate of infusion 1 into x1");
  ASSERT_EQ(problem.experiments[0].overrides.size(), 6u);
  const auto& of_b = problem.experiments[1].overrides;  // its own p3 comes first
  ASSERT_EQ(of_b.size(), 7u);
  EXPECT_EQ(print(problem.graph, of_b[1].second), "5/p2");
  EXPECT_EQ(print(problem.graph, of_b[2].second), "2 + 2*p1");                       // with p3 as b sets it
  EXPECT_EQ(print(problem.graph, problem.experiments[0].overrides[3].second), "0");  // a has only one
}

}  // namespace
}  // namespace salvo::formats::doses_test
