#include <gtest/gtest.h>

#include <cmath>

#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/sbml/read.hpp"
#include "formats/sbml/suite.hpp"
#include "formats/sbml/to_problem.hpp"
#include "formats/sbml_models.hpp"

namespace salvo::formats::sbml_test {
namespace {

model::Problem read(const std::string& model, const sbml::SuiteSettings& settings = {}) {
  const Folder folder(std::map<std::string, std::string>{{"model.xml", model}});
  auto problem = sbml::suite_problem(folder / "model.xml", settings);
  if (problem) return *std::move(problem);
  for (const Issue& issue : problem.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

Issue first_issue(const std::string& model) {
  const Folder folder(std::map<std::string, std::string>{{"model.xml", model}});
  const auto read = sbml::read_model(folder / "model.xml");
  return read ? Issue{.message = "(it was read)"} : read.issues().front();
}

::testing::AssertionResult is_formula(const model::Problem& problem, expression::NodeId node, const std::string& text) {
  expression::Graph graph = problem.graph;
  const auto expected = expression::parse(graph, text);
  if (std::get<expression::Formula>(expected).node == node) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << print(graph, node) << " is not " << text;
}

double initial(const model::Problem& problem, std::size_t state) {
  return problem.graph[std::get<expression::NodeId>(problem.experiments[0].initial.at(state))].value;
}

std::string with_rules(const std::string& rules, const std::string& parameters, const std::string& rest = "") {
  return sbml_text("<listOfParameters>" + parameters + "</listOfParameters>" + rest + "<listOfRules>" + rules +
                   "</listOfRules>");
}

TEST(Sbml, ConcentrationsChangeByAmountsOverSizes) {
  const model::Problem problem = read(conversion_model());
  ASSERT_EQ(problem.states.size(), 2u);
  EXPECT_EQ(problem.states[0].id, "A");
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "-(k*c*A)/c"));
  EXPECT_TRUE(is_formula(problem, problem.states[1].derivative, "2*(k*c*A)/c"));
  EXPECT_EQ(initial(problem, 0), 3);
  EXPECT_EQ(initial(problem, 1), 2.5) << "an amount of 5 in a size of 2";
}

TEST(Sbml, AmountsChangeByTheReactionAlone) {
  std::string model = conversion_model();
  const std::string from = R"(id="A" compartment="c" initialConcentration="3" hasOnlySubstanceUnits="false")";
  model.replace(model.find(from), from.size(),
                R"(id="A" compartment="c" initialConcentration="3" hasOnlySubstanceUnits="true")");
  const model::Problem problem = read(model);
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "-(k*c*A)"));
  EXPECT_EQ(initial(problem, 0), 6);
}

TEST(Sbml, ASizeThatChangesMakesAmountsTheStates) {
  const model::Problem problem =
      read(sbml_text("<listOfCompartments>" + compartment("c", "2", false) + "</listOfCompartments><listOfSpecies>" +
                     species("A", R"(initialConcentration="3")") + species("B", R"(initialAmount="5")") +
                     "</listOfSpecies><listOfParameters>" + parameter("k", "0.5") + "</listOfParameters><listOfRules>" +
                     rule("rateRule", "c", "<cn>0.1</cn>") + "</listOfRules>" + conversion()),
           {.variables = {"A"}});
  ASSERT_EQ(problem.states.size(), 3u);
  EXPECT_EQ(problem.states[1].id, "A_amount");
  EXPECT_TRUE(is_formula(problem, problem.states[1].derivative, "-(k*c*(A_amount/c))"));
  EXPECT_EQ(initial(problem, 1), 6);
  EXPECT_TRUE(is_formula(problem, problem.observables[0].formula, "A_amount/c"));
}

// Of a constant species the amount stands still, and its concentration falls where its compartment grows.
TEST(Sbml, AConstantSpeciesKeepsItsAmountInASizeThatChanges) {
  std::string constant = species("S", R"(initialConcentration="3")", "c", false, true);
  constant.replace(constant.find(R"(constant="false")"), 16, R"(constant="true")");
  const model::Problem problem = read(
      sbml_text("<listOfCompartments>" + compartment("c", "2", false) + "</listOfCompartments><listOfSpecies>" +
                constant + "</listOfSpecies><listOfRules>" + rule("rateRule", "c", "<cn>0.1</cn>") + "</listOfRules>"),
      {.variables = {"S"}});
  ASSERT_EQ(problem.states.size(), 2u);
  EXPECT_TRUE(is_formula(problem, problem.states[1].derivative, "0"));
  EXPECT_EQ(initial(problem, 1), 6);
  EXPECT_TRUE(is_formula(problem, problem.observables[0].formula, "S_amount/c"));
}

TEST(Sbml, AParameterMayBeCalledTime) {
  const model::Problem problem =
      read(with_rules(rule("rateRule", "time", "<cn>2</cn>"), parameter("time", "3", false)), {.variables = {"time"}});
  ASSERT_EQ(problem.observables.size(), 1u);
  EXPECT_EQ(problem.observables[0].formula, problem.states[0].symbol);
}

TEST(Sbml, AStoichiometryMayBeAFraction) {
  std::string model = conversion_model();
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {R"(level3/version2/core" level="3" version="2")", R"(level2/version4" level="2" version="4")"},
           {R"(<speciesReference species="A" stoichiometry="1" constant="true"/>)",
            R"(<speciesReference species="A"><stoichiometryMath>)" + math(R"(<cn type="rational">3<sep/>2</cn>)") +
                "</stoichiometryMath></speciesReference>"},
           {R"(<speciesReference species="B" stoichiometry="2" constant="true"/>)",
            R"(<speciesReference species="B" stoichiometry="2"/>)"}})
    model.replace(model.find(from), from.size(), to);
  const model::Problem problem = read(model);
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "-1.5*(k*c*A)/c"));
}

TEST(Sbml, RulesAreReadInAnyOrder) {
  const model::Problem problem =
      read(with_rules(rule("assignmentRule", "y", "<apply><times/><ci>z</ci><cn>2</cn></apply>") +
                          rule("assignmentRule", "z",
                               "<apply><plus/><ci>x</ci><csymbol encoding=\"text\" "
                               "definitionURL=\"http://www.sbml.org/sbml/symbols/time\">t"
                               "</csymbol></apply>") +
                          rule("rateRule", "x", "<apply><minus/><ci>y</ci></apply>"),
                      parameter("x", "1", false) + parameter("y", "0", false) + parameter("z", "0", false)));
  ASSERT_EQ(problem.states.size(), 1u);
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "-((x + time)*2)"));
}

TEST(Sbml, InitialAssignmentsUseWhatTheOthersBecome) {
  const model::Problem problem = read(with_rules(
      rule("rateRule", "x", "<cn>1</cn>"), parameter("x", "1", false) + parameter("y", "7") + parameter("z", "3"),
      "<listOfInitialAssignments><initialAssignment symbol=\"x\">" +
          math("<apply><times/><ci>y</ci><cn>2</cn></apply>") + "</initialAssignment><initialAssignment symbol=\"y\">" +
          math("<apply><plus/><ci>z</ci><cn>1</cn></apply>") + "</initialAssignment></listOfInitialAssignments>"));
  EXPECT_EQ(initial(problem, 0), 8);
}

TEST(Sbml, LocalParametersHideGlobalOnes) {
  std::string model = conversion_model();
  const std::string from = "</kineticLaw>";
  model.replace(model.find(from), from.size(),
                R"(<listOfLocalParameters><localParameter id="k" value="9"/></listOfLocalParameters></kineticLaw>)");
  EXPECT_TRUE(is_formula(read(model), read(model).states[0].derivative, "-(c*9*A)/c"));
}

TEST(Sbml, FunctionsStandForTheirBodies) {
  const std::string functions = "<listOfFunctionDefinitions><functionDefinition id=\"f\">" +
                                math(
                                    "<lambda><bvar><ci>a</ci></bvar><bvar><ci>b</ci></bvar><apply><divide/><ci>a</"
                                    "ci><ci>b</ci></apply></lambda>") +
                                "</functionDefinition></listOfFunctionDefinitions>";
  const model::Problem problem =
      read(sbml_text(functions + "<listOfParameters>" + parameter("x", "1", false) + parameter("y", "3") +
                     "</listOfParameters><listOfRules>" +
                     rule("rateRule", "x", "<apply><ci>f</ci><ci>y</ci><ci>x</ci></apply>") + "</listOfRules>"));
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "y/x"));
}

TEST(Sbml, RatesOfChangeAreTheEquations) {
  const model::Problem problem =
      read(with_rules(
               rule("rateRule", "x", "<apply><minus/><ci>x</ci></apply>") +
                   rule("assignmentRule", "y",
                        "<apply><csymbol encoding=\"text\" "
                        "definitionURL=\"http://www.sbml.org/sbml/symbols/rateOf\">rateOf</csymbol><ci>x</ci></apply>"),
               parameter("x", "1", false) + parameter("y", "0", false)),
           {.variables = {"y"}});
  EXPECT_TRUE(is_formula(problem, problem.observables[0].formula, "-x"));
}

std::string event(const std::string& trigger, const std::string& variable, const std::string& value,
                  const std::string& before = "true") {
  return "<listOfEvents><event id=\"e\" useValuesFromTriggerTime=\"true\"><trigger initialValue=\"" + before +
         "\" persistent=\"true\">" + math(trigger) + "</trigger><listOfEventAssignments><eventAssignment variable=\"" +
         variable + "\">" + math(value) + "</eventAssignment></listOfEventAssignments></event></listOfEvents>";
}

std::string with_event(const std::string& text) {
  std::string model = conversion_model();
  model.insert(model.find("</model>"), text);
  for (const char* id : {"<compartment id=\"c\"", "<parameter id=\"k\""}) {  // what an event sets is not constant
    const std::size_t at = model.find("constant=\"true\"", model.find(id));
    model.replace(at, 15, "constant=\"false\"");
  }
  return model;
}

TEST(Sbml, EventsSetStates) {
  const model::Problem problem = read(
      with_event(event("<apply><lt/><ci>A</ci><cn>1</cn></apply>", "B", "<apply><plus/><ci>B</ci><cn>1</cn></apply>")));
  ASSERT_EQ(problem.events.size(), 1u);
  EXPECT_TRUE(is_formula(problem, std::get<model::When>(problem.events[0].trigger).condition, "A < 1"));
  ASSERT_EQ(problem.events[0].assignments.size(), 1u);
  EXPECT_EQ(problem.states[problem.events[0].assignments[0].state].id, "B");
  EXPECT_TRUE(is_formula(problem, problem.events[0].assignments[0].value, "B + 1"));
}

TEST(Sbml, WhatAnEventSetsIsAStateThatStandsStill) {
  const model::Problem problem = read(with_event(event("<apply><lt/><ci>A</ci><cn>1</cn></apply>", "k", "<cn>7</cn>")));
  ASSERT_EQ(problem.states.size(), 3u);
  EXPECT_EQ(problem.states[0].id, "k");
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "0"));
}

TEST(Sbml, AnEventThatChangesASizeKeepsAmounts) {
  const model::Problem problem = read(with_event(event("<apply><lt/><ci>A</ci><cn>1</cn></apply>", "c", "<cn>7</cn>")));
  ASSERT_EQ(problem.states.size(), 3u);
  EXPECT_EQ(problem.states[1].id, "A_amount");
  ASSERT_EQ(problem.events[0].assignments.size(), 1u) << "the amounts stay";
  EXPECT_EQ(problem.states[problem.events[0].assignments[0].state].id, "c");
}

TEST(Sbml, AnEventWhoseTriggerTurnsTrueAtTheStartActsThere) {
  const std::string trigger = "<apply><lt/><ci>A</ci><cn>100</cn></apply>";
  for (const bool before : {false, true}) {
    const model::Problem problem = read(with_event(event(trigger, "B", "<cn>9</cn>", before ? "true" : "false")));
    EXPECT_EQ(initial(problem, 1), 2.5);
    EXPECT_EQ(std::get<model::When>(problem.events.at(0).trigger).false_before_start, !before);
  }
}

constexpr const char* time_symbol =
    R"(<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>)";

// Acts when the time reaches 2; `more` is its delay or its priority.
std::string timed_event(const std::string& value, const std::string& more, const std::string& from_trigger = "true") {
  return "<event useValuesFromTriggerTime=\"" + from_trigger +
         "\"><trigger initialValue=\"true\" persistent=\"true\">" +
         math("<apply><geq/>" + std::string(time_symbol) + "<cn>2</cn></apply>") + "</trigger>" + more +
         "<listOfEventAssignments><eventAssignment variable=\"B\">" + math(value) +
         "</eventAssignment></listOfEventAssignments></event>";
}
std::string delay(const std::string& value) { return "<delay>" + math(value) + "</delay>"; }
std::string priority(const std::string& value) { return "<priority>" + math(value) + "</priority>"; }
std::string model_with_events(const std::string& events) {
  return with_event("<listOfEvents>" + events + "</listOfEvents>");
}

TEST(Sbml, AnEventThatWaitsKeepsWhatItWillSet) {
  const model::Problem problem = read(model_with_events(timed_event("<ci>A</ci>", delay("<cn>3</cn>"))));
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_TRUE(is_formula(problem, std::get<model::When>(problem.events[0].trigger).condition, "2 <= time"));
  EXPECT_EQ(problem.states[problem.events[0].assignments.at(0).state].id, "B_kept");
  EXPECT_TRUE(is_formula(problem, problem.events[0].assignments[0].value, "A"));
  EXPECT_TRUE(is_formula(problem, std::get<model::When>(problem.events[1].trigger).condition, "5 <= time"));
  EXPECT_EQ(problem.states[problem.events[1].assignments.at(0).state].id, "B");
  EXPECT_TRUE(is_formula(problem, problem.events[1].assignments[0].value, "B_kept"));
}

TEST(Sbml, AnEventMayTakeTheValuesOfTheTimeAtWhichItActs) {
  const model::Problem problem = read(model_with_events(timed_event("<ci>A</ci>", delay("<cn>3</cn>"), "false")));
  ASSERT_EQ(problem.events.size(), 1u);
  EXPECT_TRUE(is_formula(problem, std::get<model::When>(problem.events[0].trigger).condition, "5 <= time"));
  EXPECT_TRUE(is_formula(problem, problem.events[0].assignments.at(0).value, "A"));
}

TEST(Sbml, EventsHavePriorities) {
  const std::string first = timed_event("<cn>1</cn>", priority("<cn>10</cn>"));
  const std::string second = timed_event("<cn>7</cn>", priority("<apply><times/><cn>2</cn><ci>A</ci></apply>"));
  const model::Problem problem = read(model_with_events(first + second));
  ASSERT_EQ(problem.events.size(), 2u);
  EXPECT_TRUE(is_formula(problem, problem.events[0].priority, "10"));
  EXPECT_TRUE(is_formula(problem, problem.events[1].priority, "2*A"));
}

TEST(Sbml, WhatAnEventSetsIsFromBeforeOthersThatActWithIt) {
  const std::string sum = "<apply><plus/><ci>B</ci><cn>1</cn></apply>";
  for (const bool from_trigger : {true, false}) {
    const std::string second = timed_event(sum, priority("<cn>2</cn>"), from_trigger ? "true" : "false");
    const model::Problem problem = read(model_with_events(timed_event("<cn>1</cn>", priority("<cn>3</cn>")) + second));
    ASSERT_EQ(problem.events.size(), from_trigger ? 3u : 2u);
    EXPECT_TRUE(is_formula(problem, problem.events.back().assignments.at(0).value, from_trigger ? "B_kept" : "B + 1"));
    if (!from_trigger) continue;
    EXPECT_TRUE(is_formula(problem, problem.events[1].assignments.at(0).value, "B + 1"));
    EXPECT_TRUE(is_formula(problem, problem.events[1].priority, "inf")) << "before all others";
  }
}

std::string refusal(const std::string& model) {
  const Folder folder(std::map<std::string, std::string>{{"model.xml", model}});
  const auto problem = sbml::suite_problem(folder / "model.xml", {});
  if (problem) return "(it was read)";
  EXPECT_EQ(problem.issues().front().kind, Issue::Kind::unsupported);
  return problem.issues().front().message;
}

TEST(Sbml, EventsThatLeaveTheirOrderOpenAreRefused) {
  const std::string open = "simultaneous events whose order matters";
  EXPECT_EQ(refusal(model_with_events(timed_event("<cn>1</cn>", "") + timed_event("<cn>7</cn>", ""))), open);
  EXPECT_EQ(refusal(model_with_events(timed_event("<cn>1</cn>", priority("<cn>3</cn>")) +
                                      timed_event("<cn>7</cn>", priority("<cn>3</cn>")))),
            open);
  std::string later = timed_event("<cn>7</cn>", "");
  later.replace(later.find("<geq/>"), 6, "<gt/>");
  EXPECT_EQ(refusal(model_with_events(timed_event("<cn>1</cn>", "") + later)), open) << "at the same time";
  EXPECT_EQ(refusal(model_with_events(timed_event("<cn>1</cn>", "") + timed_event("<cn>1</cn>", ""))), "(it was read)");
}

TEST(Sbml, PrioritiesThatAreTheSameNumberLeaveTheOrderOpen) {
  const std::string open = "simultaneous events whose order matters";
  const std::string first = timed_event("<cn>1</cn>", priority("<cn>0.5</cn>"));
  const std::string second = timed_event("<cn>7</cn>", priority("<ci>k</ci>"));
  std::string model = conversion_model();  // k is 0.5
  model.insert(model.find("</model>"), "<listOfEvents>" + first + second + "</listOfEvents>");
  EXPECT_EQ(refusal(model), open);
}

TEST(Sbml, EventsThatTurnTogetherAtTheStartOrWaitTogetherLeaveTheOrderOpen) {
  const std::string open = "simultaneous events whose order matters";
  const auto at_start = [](const std::string& trigger, const std::string& value) {
    std::string list = event(trigger, "B", value, "false");
    const std::string tag = "<listOfEvents>";
    list.erase(list.find(tag), tag.size());
    list.erase(list.find("</listOfEvents>"));
    return list;
  };
  const std::string low = "<apply><lt/><ci>A</ci><cn>100</cn></apply>";
  const std::string high = "<apply><gt/><ci>A</ci><cn>0</cn></apply>";
  EXPECT_EQ(refusal(model_with_events(at_start(low, "<cn>1</cn>") + at_start(high, "<cn>2</cn>"))), open);
  const std::string never = "<apply><gt/><ci>A</ci><cn>1000</cn></apply>";
  EXPECT_EQ(refusal(model_with_events(at_start(low, "<cn>1</cn>") + at_start(never, "<cn>2</cn>"))), "(it was read)");
  EXPECT_EQ(refusal(model_with_events(timed_event("<cn>1</cn>", delay("<cn>3</cn>")) +
                                      timed_event("<cn>2</cn>", delay("<cn>3</cn>")))),
            open);
}

TEST(Sbml, ANegativeDelayIsRefused) {
  const std::string refused = "a negative delay of an event";
  EXPECT_EQ(refusal(model_with_events(timed_event("<cn>1</cn>", delay("<cn>-1</cn>")))), refused);
  std::string model = conversion_model();
  model.insert(
      model.find("</model>"),
      "<listOfEvents>" + timed_event("<cn>1</cn>", delay("<apply><minus/><ci>k</ci></apply>")) + "</listOfEvents>");
  EXPECT_EQ(refusal(model), refused);
}

// By the size before the event, as the values of both come from there.
TEST(Sbml, AnEventThatSetsAConcentrationAndItsSizeSetsTheAmountByTheSizeBefore) {
  std::string list = event("<apply><lt/><ci>A</ci><cn>1</cn></apply>", "A", "<cn>0.2</cn>");
  const std::string more = "<eventAssignment variable=\"c\">" + math("<cn>7</cn>") + "</eventAssignment>";
  list.insert(list.find("</listOfEventAssignments>"), more);
  const model::Problem problem = read(with_event(list));
  ASSERT_EQ(problem.events[0].assignments.size(), 2u);
  for (const model::Assignment& assignment : problem.events[0].assignments) {
    const std::string& id = problem.states[assignment.state].id;
    EXPECT_TRUE(is_formula(problem, assignment.value, id == "A_amount" ? "0.2*c" : "7")) << id;
  }
}

// An event that waits after A has reached 2, as long as `waits` says, for B to become A.
std::string waiting_event(const std::string& waits, bool is_persistent) {
  std::string event = timed_event("<ci>A</ci>", delay(waits));
  event.replace(event.find(time_symbol), std::string(time_symbol).size(), "<ci>A</ci>");
  if (!is_persistent) event.replace(event.find("persistent=\"true\""), 17, "persistent=\"false\"");
  return event;
}

TEST(Sbml, AnEventMayWaitAfterAnyTriggerUnlessThatTurnsFalse) {
  const model::Problem problem = read(model_with_events(waiting_event("<ci>k</ci>", false)));
  ASSERT_EQ(problem.events.size(), 3u) << "one keeps, one forgets, one acts";
  const auto condition = [&](int event) { return std::get<model::When>(problem.events[event].trigger).condition; };
  const auto value = [&](int event, const std::string& id) {
    for (const model::Assignment& assignment : problem.events[event].assignments)
      if (problem.states[assignment.state].id == id) return assignment.value;
    return expression::no_node;
  };
  EXPECT_TRUE(is_formula(problem, condition(0), "2 <= A"));
  EXPECT_EQ(print(problem.graph, value(0, "event_due")), "piecewise(time + k, 0 <= k, nan)");
  EXPECT_TRUE(is_formula(problem, value(0, "B_kept"), "A"));
  EXPECT_TRUE(is_formula(problem, condition(1), "!(2 <= A)"));
  EXPECT_TRUE(is_formula(problem, value(1, "event_due"), "1e30"));
  EXPECT_TRUE(is_formula(problem, condition(2), "event_due <= time"));
  EXPECT_TRUE(is_formula(problem, value(2, "B"), "B_kept"));
  EXPECT_TRUE(is_formula(problem, value(2, "event_due"), "1e30"));
}

TEST(Sbml, SeveralTriggersOfAnEventMayWaitAtOnce) {
  const model::Problem problem = read(model_with_events(waiting_event("<cn>3</cn>", true)));
  ASSERT_EQ(problem.events.size(), 11u);
  EXPECT_EQ(problem.events[0].assignments.size(), 21u) << "ten places, and whose turn it is";
}

TEST(Sbml, AnEncodingNeedNotBeStated) {
  std::string model = conversion_model();
  model.erase(model.find(" encoding=\"UTF-8\""), 17);
  EXPECT_EQ(first_issue(model).message, "(it was read)");
}

TEST(Sbml, AModelNeedsAConditionUnderWhichItIsRun) {
  const Folder folder(std::map<std::string, std::string>{{"model.xml", conversion_model()}});
  auto model = sbml::read_model(folder / "model.xml");
  ASSERT_TRUE(model);
  model::Problem problem;
  sbml::Resolver resolver(model->graph);
  const Issues issues = sbml::put_into_problem(*model, "model.xml", {}, problem, resolver);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].message, "there is no condition under which it is measured");
}

// --- what is wrong, and what is not supported ---

std::string applied(const std::string& function, const std::string& arguments) {
  return "<apply><" + function + "/>" + arguments + "</apply>";
}

TEST(Sbml, WhatJumpsEvenlyInTimeJumpsAtKnownTimes) {
  const std::string time =
      R"(<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>)";
  const auto formula_of = [&](const std::string& function, const std::string& arguments, const std::string& formula) {
    const model::Problem problem = read(with_rules(rule("assignmentRule", "y", applied(function, arguments)),
                                                   parameter("y", "0", false) + parameter("k", "0.5")),
                                        {.duration = 5, .steps = 5, .variables = {"y"}});
    ASSERT_EQ(problem.observables.size(), 1u);
    EXPECT_TRUE(is_formula(problem, problem.observables[0].formula, formula)) << function;
  };
  formula_of("floor", applied("times", "<ci>k</ci>" + time), "(2 <= time) + (4 <= time)");
  formula_of("floor", applied("minus", time), "-(0 < time) - (1 < time) - (2 < time) - (3 < time) - (4 < time)");
  formula_of("quotient", time + "<cn>2</cn>", "(2 <= time) + (4 <= time)");
  formula_of("rem", time + "<cn>2</cn>", "time - 2*((2 <= time) + (4 <= time))");
  formula_of("ceiling", "<ci>k</ci>", "1");
}

TEST(Sbml, WhatJumpsWithAStateIsRefused) {
  const Folder folder(std::map<std::string, std::string>{
      {"model.xml",
       with_rules(rule("rateRule", "x", "<cn>1</cn>") + rule("assignmentRule", "y", applied("floor", "<ci>x</ci>")),
                  parameter("x", "0", false) + parameter("y", "0", false))}});
  const auto problem = sbml::suite_problem(folder / "model.xml", {.duration = 5, .steps = 5, .variables = {"y"}});
  ASSERT_FALSE(problem);
  EXPECT_EQ(problem.issues().front().kind, Issue::Kind::unsupported);
  EXPECT_EQ(problem.issues().front().message, "floor() of what is not a number");
}

TEST(Sbml, NamesWhatItDoesNotSupport) {
  const std::string x = parameter("x", "1", false);
  const Issue factorial = first_issue(with_rules(rule("rateRule", "x", applied("factorial", "<ci>x</ci>")), x));
  EXPECT_EQ(factorial.message, "factorial() of what is not a number");
  EXPECT_EQ(factorial.kind, Issue::Kind::unsupported);
}

TEST(Sbml, PackagesWithContentAreRefusedAndEmptyOnesAreNot) {
  const std::string comp =
      R"(xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1" comp:required="true")";
  EXPECT_EQ(first_issue(sbml_text("<listOfParameters>" + parameter("x", "1") + "</listOfParameters>", "3", "1", comp))
                .message,
            "(it was read)");
  const Issue issue = first_issue(
      sbml_text(R"(<comp:listOfSubmodels><comp:submodel comp:id="s" comp:modelRef="n"/></comp:listOfSubmodels>)", "3",
                "1", comp));
  EXPECT_EQ(issue.kind, Issue::Kind::unsupported);
  EXPECT_EQ(issue.message, "the SBML package 'comp'");
}

TEST(Sbml, WhatIsNotSupportedIsToldInASentence) {
  const std::string comp =
      R"(xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1" comp:required="true")";
  const Issue issue = first_issue(
      sbml_text(R"(<comp:listOfSubmodels><comp:submodel comp:id="s" comp:modelRef="n"/></comp:listOfSubmodels>)", "3",
                "1", comp));
  EXPECT_NE(to_string(issue).find("Salvo does not support the SBML package 'comp' yet"), std::string::npos)
      << to_string(issue);
}

TEST(Sbml, ASumMayHaveAHundredThousandTerms) {
  std::string sum = "<apply><plus/>";
  constexpr int count = 140'000;
  for (int i = 0; i < count; ++i) sum += i % 2 == 0 ? "<ci>A</ci>" : "<ci>k</ci>";
  const model::Problem problem =
      read(sbml_text("<listOfCompartments>" + compartment("c", "2") + "</listOfCompartments><listOfSpecies>" +
                     species("A", R"(initialConcentration="3")") + species("B", R"(initialAmount="5")") +
                     "</listOfSpecies><listOfParameters>" + parameter("k", "0.5") + "</listOfParameters>" +
                     conversion(sum + "</apply>")));
  ASSERT_EQ(problem.states.size(), 2u);
  EXPECT_GT(problem.graph.size(), count);
}

TEST(Sbml, ASpeciesWithoutAnInitialAmountIsTold) {
  const std::string begin = "<listOfCompartments>" + compartment("c", "2") + "</listOfCompartments><listOfSpecies>";
  const std::string end = "</listOfSpecies><listOfParameters>" + parameter("k", "0.5") + "</listOfParameters>";
  const std::string b = species("B", R"(initialAmount="5")");
  const std::string of_a = "<listOfInitialAssignments><initialAssignment symbol=\"B\">" + math("<ci>A</ci>") +
                           "</initialAssignment></listOfInitialAssignments>";
  for (const std::string& model : {begin + species("A", "") + b + end + conversion(),
                                   begin + species("A", R"(initialAmount="NaN")") + b + end + conversion(),
                                   begin + species("A", "") + b + end + of_a + conversion()}) {
    const Folder folder(std::map<std::string, std::string>{{"model.xml", sbml_text(model)}});
    const auto problem = sbml::suite_problem(folder / "model.xml", {.variables = {"A"}});
    ASSERT_FALSE(problem);
    EXPECT_EQ(problem.issues().front().message, "'A' has no finite value at the start of default");
  }
}

TEST(Sbml, ManyEventsWithPrioritiesAreComparedInLittleMemory) {
  constexpr int count = 2000;
  const model::Problem problem = read(model_with_priorities(count));
  ASSERT_EQ(problem.events.size(), static_cast<std::size_t>(count));
  // A few nodes for each event, none for each pair: its condition, its priority and the numbers in them.
  EXPECT_LT(problem.graph.size(), 8 * count);
}

TEST(Sbml, UnknownNamesAndCirclesAreTold) {
  EXPECT_EQ(first_issue(with_rules(rule("rateRule", "x", "<ci>nobody</ci>"), parameter("x", "1", false))).message,
            "unknown name 'nobody' in the rule of x");
  const Folder folder(
      {{"model.xml", with_rules(rule("assignmentRule", "x", "<ci>y</ci>") + rule("assignmentRule", "y", "<ci>x</ci>"),
                                parameter("x", "1", false) + parameter("y", "1", false))}});
  const auto problem = sbml::suite_problem(folder / "model.xml", {});
  ASSERT_FALSE(problem);
  EXPECT_NE(problem.issues()[0].message.find("depends on itself"), std::string::npos);
}

TEST(Sbml, HostileTextsAreRefusedBeforeAnyParserSeesThem) {
  const std::string good = conversion_model();
  const std::size_t root = good.find("<sbml");
  const auto with_head = [&](const std::string& head) { return good.substr(0, root) + head + good.substr(root); };
  EXPECT_EQ(first_issue(with_head("<!DOCTYPE s [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>")).message,
            "document types and entities are not read");
  EXPECT_EQ(first_issue(with_head("<!DOCTYPE s SYSTEM \"file:///etc/passwd\">")).message,
            "document types and entities are not read");
  std::string deep = good;
  for (int i = 0; i < 1000; ++i) deep.insert(deep.find("</model>"), "<annotation>");
  EXPECT_NE(first_issue(deep).message.find("nested more than"), std::string::npos);
  std::string coded = good;
  coded.replace(coded.find("UTF-8"), 5, "UTF-7");
  EXPECT_EQ(first_issue(coded).message, "the encoding 'utf-7' is not read");
}

TEST(Sbml, AFunctionThatCallsItselfIsAnIssue) {
  const std::string functions = "<listOfFunctionDefinitions><functionDefinition id=\"f\">" +
                                math("<lambda><bvar><ci>a</ci></bvar><apply><ci>f</ci><ci>a</ci></apply></lambda>") +
                                "</functionDefinition></listOfFunctionDefinitions>";
  const Issue issue = first_issue(
      sbml_text(functions + "<listOfParameters>" + parameter("x", "1", false) + "</listOfParameters><listOfRules>" +
                rule("rateRule", "x", "<apply><ci>f</ci><ci>x</ci></apply>") + "</listOfRules>"));
  EXPECT_NE(issue.message.find("calls itself"), std::string::npos) << issue.message;
}

TEST(Sbml, ReadsTheSettingsOfItsTestSuite) {
  const Folder folder(std::map<std::string, std::string>{
      {"settings.txt", "start: 0\nduration: 5\nsteps: 2\nvariables: S1, S2\namount: S1\nconcentration:\n"}});
  const auto settings = sbml::read_suite_settings(folder / "settings.txt");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->times(), (std::vector<double>{0, 2.5, 5}));
  EXPECT_EQ(settings->variables, (std::vector<std::string>{"S1", "S2"}));
  EXPECT_EQ(settings->amounts, (std::vector<std::string>{"S1"}));
}

}  // namespace
}  // namespace salvo::formats::sbml_test
