#include <gtest/gtest.h>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::inputs_test {
namespace {

Result<model::Problem> read(const std::string& lines, const std::string& weather,
                            const std::string& data = good_data()) {
  const Folder folder({{"problem.yaml", longer(lines)}, {"data.csv", data}, {"weather.csv", weather}});
  return read_problem(folder / "problem.yaml");
}

model::Problem good(const std::string& lines, const std::string& weather, const std::string& data = good_data()) {
  auto result = read(lines, weather, data);
  if (result) return *std::move(result);
  for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

const std::string outside = "inputs:\n  outside: {data: weather.csv, column: temp, interpolation: linear}\n";
const std::string weather = "time,wind,temp\n0,3,10\n2,NA,14\n3,1,13\n";
const std::string two_experiments = "experiments:\n  a: {}\n  b: {}\n";
const std::string data_of_two = "time,experiment,predator,prey\n2,a,1,1\n3,b,1,1\n";

TEST(Inputs, AreFunctionsOfTimeFromAColumn) {
  const auto problem = good(outside, weather);
  ASSERT_EQ(problem.inputs.size(), 1u);
  const model::Input& input = problem.inputs[0];
  EXPECT_EQ(input.id, "outside");
  EXPECT_EQ(input.interpolation, model::Interpolation::linear);
  ASSERT_EQ(input.of_experiment.size(), 1u);
  EXPECT_EQ(input.of_experiment[0]->at(1), 12);
  EXPECT_EQ(input.of_experiment[0]->end(), 3);
}

TEST(Inputs, TakeTheColumnOfTheirOwnNameAndLinesUnlessToldOtherwise) {
  const auto problem = good("inputs: {temp: {data: weather.csv}}\n", weather);
  EXPECT_EQ(problem.inputs[0].interpolation, model::Interpolation::linear);
  EXPECT_EQ(problem.inputs[0].of_experiment[0]->at(2.5), 13.5);
}

TEST(Inputs, ATableThatEndsBeforeTheDataIsAWarning) {
  const auto problem = good(outside, "time,temp\n0,10\n1,14\n");
  ASSERT_FALSE(problem.warnings.empty());
  EXPECT_NE(to_string(problem.warnings.back()).find("the input outside is known until 1, but there are data at"),
            std::string::npos);
}

TEST(Inputs, MayDifferBetweenExperiments) {
  const auto problem =
      good(two_experiments + outside, "experiment,time,temp\na,0,1\nb,0,5\na,2,3\nb,4,9\n", data_of_two);
  ASSERT_EQ(problem.inputs[0].of_experiment.size(), 2u);
  EXPECT_EQ(problem.inputs[0].of_experiment[0]->at(1), 2);
  EXPECT_EQ(problem.inputs[0].of_experiment[1]->at(1), 6);
  const auto shared = good(two_experiments + outside, weather, data_of_two);
  EXPECT_EQ(shared.inputs[0].of_experiment[0], shared.inputs[0].of_experiment[1]);
}

TEST(Inputs, StandInAllFormulasOfTimeAndInInitialValues) {
  const std::string lines = outside + "definitions: {warmth: outside + p1}\nevents: [{at: 1, set: {x1: warmth}}]\n";
  const auto problem = good(lines, weather);
  EXPECT_EQ(print(problem.graph, problem.events[0].assignments[0].value), "p1 + outside");
}

struct Wrong {
  std::string table;
  int line = 0;
  int column = 0;
  std::string message;
};

TEST(Inputs, OfFaultyTablesAreRefusedWithThePlace) {
  const std::vector<Wrong> all{
      {"time,temp\n0,1\n1,\n2,3\n", 3, 3, "the value of 'temp' is missing in this row"},
      {"time,temp\n0,1\n1,nan\n", 3, 3, "the value of 'temp' is 'nan'; it must be a finite number"},
      {"time,temp\n0,1\n1,two\n", 3, 3, "the value of 'temp' cannot be read"},
      {"time,temp\n0,1\n2,3\n1,2\n", 4, 1, "the time 1 is before the one above it, 2"},
      {"time,temp\n0,1\n0,2\n", 3, 1, "the time 0 is there twice"},
      {"time,temp\ninf,1\n", 2, 1, "the time of an input must be finite"},
      {"time,temp\n,1\n", 2, 1, "the time is missing in this row"},
      {"time,temp\n", 1, 1, "the table has no rows"},
      {"time,warmth\n0,1\n", 1, 1, "the column 'temp' is missing"},
      {"t,temp\n0,1\n", 1, 1, "the column 'time' is missing"},
      {"time,experiment,temp\n0,c,1\n", 2, 3, "unknown experiment 'c'"}};
  for (const Wrong& wrong : all) {
    const auto result = read(outside, wrong.table);
    ASSERT_FALSE(result) << wrong.table;
    ASSERT_EQ(result.issues().size(), 1u) << wrong.table << to_string(result.issues().back());
    const Issue& issue = result.issues()[0];
    EXPECT_NE(issue.message.find(wrong.message), std::string::npos) << to_string(issue);
    EXPECT_NE(issue.file.find("weather.csv"), std::string::npos);
    EXPECT_EQ(std::pair(issue.line, issue.column), std::pair(wrong.line, wrong.column)) << to_string(issue);
  }
  const auto missing = read(two_experiments + outside, "time,experiment,temp\n0,a,1\n", data_of_two);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.issues()[0].message, "the table has no rows of experiment 'b'");
}

TEST(Inputs, ThatTheProblemFileGetsWrongAreRefused) {
  const auto message = [](const std::string& lines) {
    const auto result = read(lines, weather);
    return result ? std::string("read") : result.issues()[0].message;
  };
  EXPECT_EQ(message("inputs: {outside: weather.csv}\n"),
            "the input outside must be a map, but is the text 'weather.csv'");
  EXPECT_EQ(message("inputs: {outside: {column: temp}}\n"), "the input outside names no file");
  EXPECT_EQ(message("inputs: {temp: {data: weather.csv, interpolation: quadratic}}\n"),
            "unknown interpolation 'quadratic'");
  EXPECT_EQ(message("inputs: {p1: {data: weather.csv, column: temp}}\n").substr(0, 24), "'p1' is defined twice: h");
  EXPECT_EQ(message(outside + "constraints: [p1 < outside]\n"), "the input 'outside' cannot be used in a constraint");
  EXPECT_EQ(message(outside + "events: [{at: outside, set: {x1: 1}}]\n").substr(0, 33),
            "the input 'outside' cannot be use");
}

// --- steady states
// -----------------------------------------------------------------------------------------------------

const std::string known_initial = "x1: {guess: 0.4}";
std::string at_rest(const std::string& lines, const std::string& initial = "x1: 1\n  x2: p1") {
  return changed(known_initial, initial) + lines;
}

Result<model::Problem> read_at_rest(const std::string& text, const std::string& data) {
  const Folder folder({{"problem.yaml", text}, {"data.csv", data}});
  return read_problem(folder / "problem.yaml");
}

TEST(SteadyStates, InTheDataAreThoseOfAnExperimentAtRest) {
  const auto problem = read_at_rest(at_rest(""), "time,predator,prey\n2,1,1\ninf,3,4\n");
  ASSERT_TRUE(problem);
  ASSERT_EQ(problem->experiments.size(), 2u);
  EXPECT_EQ(problem->experiments[1].id, "default_at_rest");
  ASSERT_TRUE(problem->experiments[1].equilibrate);
  EXPECT_TRUE(problem->experiments[1].equilibrate->is_final);
  std::vector<int> experiments;
  for (const model::Measurement& m : problem->measurements) experiments.push_back(m.experiment);
  EXPECT_EQ(experiments, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(problem->measurements[3].time, 0);
  EXPECT_EQ(problem->measurements[3].value, 4);
  EXPECT_EQ(problem->experiments[1].initial_of, 0) << "what is estimated about the start is shared";
}

TEST(SteadyStates, OfExperimentsThatAreMeasuredNowhereElseNeedNoSecondOne) {
  const auto problem = read_at_rest(good_problem(), "time,predator,prey\ninf,3,4\n");
  ASSERT_TRUE(problem);
  ASSERT_EQ(problem->experiments.size(), 1u);
  EXPECT_TRUE(problem->experiments[0].equilibrate->is_final);
  EXPECT_EQ(problem->measurements[0].time, 0);
}

TEST(SteadyStates, ThatCannotBeFoundAreRefusedWithARemedy) {
  const std::string data = "time,predator,prey\n2,1,1\ninf,3,4\n";
  const auto message = [&](const std::string& text) {
    const auto result = read_at_rest(text, data);
    if (result) return std::string("read");
    EXPECT_EQ(result.issues()[0].kind, Issue::Kind::unsupported);
    return result.issues()[0].message;
  };
  EXPECT_EQ(message(at_rest("events: [{at: 1, add: {x1: 1}}]\n")),
            "experiment 'default' is measured in the steady state (time inf) after events or doses");
}

TEST(SteadyStates, BeforeAnExperimentAreReadWithTheirOverrides) {
  const auto problem =
      read_at_rest(at_rest("experiments:\n  a: {set: {p3: 2}, initial: {x2: 7}, equilibrate: {set: {p3: 0.1*p1}}}\n"),
                   "time,experiment,predator,prey\n2,a,1,1\n");
  ASSERT_TRUE(problem);
  const model::Experiment& experiment = problem->experiments[0];
  ASSERT_TRUE(experiment.equilibrate);
  ASSERT_EQ(experiment.equilibrate->overrides.size(), 1u);
  EXPECT_EQ(problem->parameters[experiment.equilibrate->overrides[0].first].id, "p3");
  EXPECT_EQ(print(problem->graph, experiment.equilibrate->overrides[0].second), "0.1*p1");
  EXPECT_EQ(print(problem->graph, experiment.overrides[0].second), "2");
  EXPECT_TRUE(experiment.is_set_at_start(1)) << "its own initial value is set after the rest";
  EXPECT_FALSE(experiment.is_set_at_start(0));
  EXPECT_EQ(print(problem->graph, experiment.equilibrate->initial[0].second), "p1");
  EXPECT_EQ(print(problem->graph, std::get<model::NodeId>(experiment.initial[1])), "7");
}

}  // namespace
}  // namespace salvo::formats::inputs_test
