#include "formats/problem/delays.hpp"

#include <gtest/gtest.h>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/problem/series.hpp"
#include "formats/problem/write.hpp"
#include "formats/sbml/delays.hpp"
#include "formats/sbml/suite.hpp"
#include "formats/sbml_models.hpp"
#include "formats/wrong_input.hpp"
#include "model/delays.hpp"

namespace salvo::formats::delay_tests {
namespace {

// Prey whose growth looks back.
std::string delayed(const std::string& formula, const std::string& more = {}) {
  std::string problem = longer(more);
  const std::string from = "p3*x2 - p4*x1*x2";
  return problem.replace(problem.find(from), from.size(), formula);
}

model::Problem read_all(const std::string& yaml, Files more = {}) {
  more.emplace("problem.yaml", yaml);
  more.emplace("data.csv", good_data());
  const Folder folder(more);
  auto result = read_problem(folder / "problem.yaml");
  if (result) return *std::move(result);
  for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

std::string text(const model::Problem& problem, expression::NodeId node) {
  return node == expression::no_node ? "" : expression::print(problem.graph, node);
}

std::string warning_of(const model::Problem& problem) {
  std::string all;
  for (const Issue& warning : problem.warnings) all += to_string(warning) + "\n";
  return all;
}

TEST(DelaysInProblemFiles, AreReadInBothForms) {
  const auto called = read_all(delayed("p3*x2(t - 0.5) - p4*x1*x2"));
  const auto named = read_all(delayed("p3*delay(x2, 0.5) - p4*x1*x2"));
  EXPECT_EQ(text(called, called.states[1].derivative), text(named, named.states[1].derivative));
  EXPECT_EQ(model::delays_of(called).size(), 1u);
  EXPECT_EQ(model::delayed_states(called), std::vector<int>{1});
}

TEST(DelaysInProblemFiles, OfDefinitionsLookAtWhatTheseAreMadeOf) {
  const auto problem =
      read_all(delayed("p3*eaten(time - 0.5) - p4*x1*x2", "definitions:\n  eaten: x1*x2 + delay(x2, p3)\n"));
  EXPECT_EQ(text(problem, problem.states[1].derivative), "p3*delay(x1*x2 + delay(x2, p3), 0.5) - x1*p4*x2");
  EXPECT_EQ(model::delayed_states(problem), (std::vector<int>{0, 1}));
}

TEST(DelaysInProblemFiles, MayBeEstimatedWithinPositiveBounds) {
  const auto problem = read_all(changed("p2: {guess: 0.5}", "p2: {guess: 0.5, bounds: [0.1, 2]}"));
  EXPECT_TRUE(model::delays_of(problem).empty());
  std::string yaml = delayed("p3*delay(x2, 2*p2)");
  yaml.replace(yaml.find("p2: {guess: 0.5}"), 16, "p2: {guess: 0.5, bounds: [0.1, 2]}");
  EXPECT_FALSE(model::delays_of(read_all(yaml)).empty());
}

TEST(DelaysInProblemFiles, StandInObservablesAndEvents) {
  const auto problem = read_all(longer("events:\n  - {when: \"delay(x1, 1) > 2\", set: {x1: \"x1(t - 1)\"}}\n") +
                                "definitions:\n  before: delay(x2, 1)\n");
  EXPECT_EQ(model::delays_of(problem).size(), 1u);
}

TEST(Histories, AreNumbersAndFormulas) {
  const auto problem = read_all(delayed("p3*delay(x2, 0.5)*delay(x1, 1)", "history:\n  x1: 2 + p1*t\n  x2: 3\n"));
  EXPECT_EQ(text(problem, problem.states[0].history), "2 + t*p1");
  EXPECT_EQ(text(problem, problem.states[1].history), "3");
  EXPECT_TRUE(problem.warnings.empty()) << warning_of(problem);
}

TEST(Histories, AreTheInitialValuesWhereNothingIsSaid) {
  const auto problem = read_all(delayed("p3*delay(x2, 0.5)"));
  EXPECT_EQ(problem.states[1].history, expression::no_node);
}

TEST(Histories, ThatAreGuessedAreParameters) {
  const auto problem = read_all(delayed("p3*delay(x2, 0.5)", "history:\n  x2: {guess: 2, bounds: [0, 5]}\n"));
  EXPECT_EQ(text(problem, problem.states[1].history), "history_x2");
  const model::Parameter& parameter = problem.parameters.back();
  EXPECT_EQ(parameter.id, "history_x2");
  EXPECT_EQ(std::get<model::Estimated>(parameter.value).guess, 2);
}

// A cubic through four rows of a cubic is that cubic.
TEST(Histories, AreReadFromTables) {
  const auto problem = read_all(delayed("p3*delay(x2, 0.5)", "history:\n  x2: {data: before.csv, column: n}\n"),
                                {{"before.csv", "time,n\n-3,-27\n-2,-8\n-1,-1\n0,0\n"}});
  const std::string formula = text(problem, problem.states[1].history);
  EXPECT_NE(formula.find("piecewise"), std::string::npos);
  EXPECT_NE(formula.find("t"), std::string::npos);
}

TEST(Histories, ThatNobodyLooksAtAreWarnedOf) {
  const auto problem = read_all(delayed("p3*delay(x2, 0.5)", "history:\n  x1: 2\n"));
  EXPECT_NE(warning_of(problem).find("no formula looks at x1 before the start"), std::string::npos);
}

TEST(DelaysInProblemFiles, AreWrittenAsTheyWereRead) {
  const auto problem = read_all(delayed("p3*delay(x1*x2, 0.5) - p4*x1*x2", "history:\n  x1: 2 + p1*t\n"));
  const Written written = write_problem(problem, "again");
  Files files;
  for (const auto& file : written.files) files[file.name] = file.text;
  const Folder folder(files);
  const auto again = read_problem(folder / "again.yaml");
  ASSERT_TRUE(again) << to_string(again.issues().front());
  EXPECT_EQ(text(*again, again->states[1].derivative), text(problem, problem.states[1].derivative));
  EXPECT_EQ(text(*again, again->states[0].history), text(problem, problem.states[0].history));
}

// --- SBML ------------------------------------------------------------------------------------------------------------

std::string delay_of(const std::string& what, const std::string& by) {
  return "<apply><csymbol encoding=\"text\" definitionURL=\"http://www.sbml.org/sbml/symbols/delay\">delay</csymbol>" +
         what + by + "</apply>";
}

std::string time_symbol() {
  return "<csymbol encoding=\"text\" definitionURL=\"http://www.sbml.org/sbml/symbols/time\">time</csymbol>";
}

std::string model_with(const std::string& rate, const std::string& more = {}) {
  return sbml_text("<listOfParameters>" + parameter("x", "2", false) + parameter("y", "3", false) +
                   parameter("tau", "1.5") + "</listOfParameters>" + more + "<listOfRules>" +
                   rule("rateRule", "x", rate) + "</listOfRules>");
}

std::string initial_assignment(const std::string& of, const std::string& formula) {
  return "<listOfInitialAssignments><initialAssignment symbol=\"" + of + "\">" + math(formula) +
         "</initialAssignment></listOfInitialAssignments>";
}

Result<model::Problem> problem_of(const std::string& model) {
  const Folder folder(std::map<std::string, std::string>{{"model.xml", model}});
  return sbml::suite_problem(folder / "model.xml", {});
}

std::string refusal(const std::string& model) {
  const auto problem = problem_of(model);
  return problem ? "" : problem.issues().front().message;
}

TEST(DelaysInSbml, AreReadWithTheirArguments) {
  const auto problem = problem_of(model_with(delay_of("<ci>x</ci>", "<ci>tau</ci>")));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(text(*problem, problem->states[0].derivative), "delay(x, tau)");
  EXPECT_EQ(problem->states[0].history, expression::no_node);
}

TEST(DelaysInSbml, LookAtFormulasAndNotAtTheirNumbers) {
  const std::string function = "<listOfFunctionDefinitions><functionDefinition id=\"before\">" +
                               math("<lambda><bvar><ci>a</ci></bvar><bvar><ci>d</ci></bvar>" +
                                    delay_of("<ci>a</ci>", "<ci>d</ci>") + "</lambda>") +
                               "</functionDefinition></listOfFunctionDefinitions>";
  std::string model =
      model_with("<apply><ci>before</ci><apply><times/><cn>2</cn><ci>x</ci></apply><ci>tau</ci></apply>");
  model.insert(model.find("<listOfParameters>"), function);
  const auto problem = problem_of(model);
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(text(*problem, problem->states[0].derivative), "delay(2*x, tau)");
}

TEST(DelaysInSbml, OfZeroAreNone) {
  const auto problem = problem_of(model_with(delay_of("<ci>x</ci>", "<cn>0</cn>")));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(text(*problem, problem->states[0].derivative), "x");
}

TEST(DelaysInSbml, ByWhatChangesAreRefusedByName) {
  EXPECT_EQ(refusal(model_with(delay_of("<ci>x</ci>", "<ci>x</ci>"))), "delay() by what changes");
  EXPECT_EQ(refusal(model_with(delay_of("<ci>x</ci>", time_symbol()))), "delay() by what changes");
  EXPECT_EQ(refusal(model_with(delay_of("<ci>x</ci>", "<cn>-1</cn>"))), "delay() by less than 0");
}

TEST(DelaysInSbml, InitialAssignmentsThatUseTimeSayWhatWasBefore) {
  const std::string wave = "<apply><plus/><cn>2</cn><apply><sin/>" + time_symbol() + "</apply></apply>";
  const auto problem = problem_of(model_with(delay_of("<ci>x</ci>", "<ci>tau</ci>"), initial_assignment("x", wave)));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(text(*problem, problem->states[0].history), "2 + sin(time)");
  EXPECT_EQ(text(*problem, std::get<expression::NodeId>(problem->experiments[0].initial[0])), "2");
}

// Nothing changes y, but it was another before the start.
TEST(DelaysInSbml, WhatStandsMayHaveAPast) {
  const auto problem =
      problem_of(model_with(delay_of("<ci>y</ci>", "<ci>tau</ci>"), initial_assignment("y", time_symbol())));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->states.size(), 2u);
  EXPECT_EQ(text(*problem, problem->states[1].derivative), "0");
  EXPECT_EQ(text(*problem, problem->states[1].history), "time");
}

}  // namespace
}  // namespace salvo::formats::delay_tests
