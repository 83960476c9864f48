#include <gtest/gtest.h>

#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"
#include "formats/sbml/suite.hpp"
#include "formats/sbml_models.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::algebraic_tests {
namespace {

model::Problem read_all(const std::string& yaml) {
  const Folder folder({{"problem.yaml", yaml}, {"data.csv", good_data()}});
  auto result = read_problem(folder / "problem.yaml");
  if (result) return *std::move(result);
  for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

std::string text(const model::Problem& problem, expression::NodeId node) {
  return expression::print(problem.graph, node);
}

std::string definition(const model::Problem& problem, const std::string& id) {
  for (const model::Definition& each : problem.definitions)
    if (each.id == id) return text(problem, each.formula);
  return {};
}

// In definitions, equations, observables and other algebraic equations alike.
TEST(AlgebraicSection, AFormulaTakesThePlaceOfItsVariable) {
  std::string yaml = longer(
      "algebraic:\n  total: total - x1 - x2\n  ratio: ratio*total - x1\n"
      "definitions:\n  twice: 2*ratio\n");
  const std::string from = "p3*x2 - p4*x1*x2";
  yaml.replace(yaml.find(from), from.size(), "p3*x2 - p4*twice");
  const model::Problem problem = read_all(yaml);
  ASSERT_EQ(problem.states.size(), 2u);
  EXPECT_EQ(definition(problem, "total"), "x1 + x2");
  EXPECT_EQ(text(problem, problem.states[1].derivative), "x2*p3 - x1/(x1 + x2)*2*p4");
  ASSERT_EQ(problem.algebraic.size(), 2u);
  EXPECT_EQ(problem.algebraic[1].text, "ratio*total - x1");
  EXPECT_EQ(text(problem, problem.algebraic[1].divisor), "x1 + x2");
  EXPECT_EQ(problem.algebraic[0].divisor, expression::no_node);
}

TEST(AlgebraicSection, WhatNoFormulaSolvesIsAStateWithAPlaceToLookForIt) {
  std::string yaml = longer("algebraic:\n  c: c^2 + c - x1\n");
  const model::Problem by_default = read_all(yaml);
  ASSERT_EQ(by_default.states.size(), 3u);
  EXPECT_TRUE(by_default.states[2].is_algebraic);
  EXPECT_EQ(by_default.algebraic[0].state, 2);
  EXPECT_EQ(text(by_default, std::get<expression::NodeId>(by_default.experiments[0].initial[2])), "1");
  yaml.replace(yaml.find("{guess: 0.4}"), 12, "{guess: 0.4}\n  c: {near: 0.25}");
  const model::Problem near = read_all(yaml);
  EXPECT_EQ(text(near, std::get<expression::NodeId>(near.experiments[0].initial[2])), "0.25");
}

// The first value of the data, where the variable itself is measured.
TEST(AlgebraicSection, ARootIsLookedForWhereItWasMeasured) {
  std::string yaml = longer("algebraic:\n  c: c^2 + c - x1\n");
  yaml.replace(yaml.find("formula: x2"), 11, "formula: c");
  const model::Problem problem = read_all(yaml);
  double first = 0;
  for (const model::Measurement& each : problem.measurements)
    if (each.observable == 1 && each.time == 0) first = each.value;
  const auto node = std::get<expression::NodeId>(problem.experiments[0].initial[2]);
  EXPECT_EQ(problem.graph[node].value, first);
}

// --- SBML ------------------------------------------------------------------------------------------------------------

Result<model::Problem> suite(const std::string& model) {
  const Folder folder(std::map<std::string, std::string>{{"model.xml", model}});
  return sbml::suite_problem(folder / "model.xml", {});
}

std::string algebraic_rule(const std::string& formula) {
  return "<algebraicRule>" + math(formula) + "</algebraicRule>";
}

std::string model_with(const std::string& parameters, const std::string& rules) {
  return sbml_text("<listOfParameters>" + parameters + "</listOfParameters><listOfRules>" + rules + "</listOfRules>");
}

constexpr const char* sum = "<apply><minus/><apply><plus/><ci>a</ci><ci>b</ci></apply><ci>k</ci></apply>";

TEST(AlgebraicRule, DeterminesWhatNothingElseDoes) {
  const auto problem =
      suite(model_with(parameter("a", "1", false) + parameter("b", "5", false) + parameter("k", "3"),
                       rule("rateRule", "a", "<apply><minus/><ci>a</ci></apply>") + algebraic_rule(sum)));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(definition(*problem, "b"), "k - a");
  ASSERT_EQ(problem->algebraic.size(), 1u);
  EXPECT_EQ(problem->algebraic[0].variable, "b");
}

TEST(AlgebraicRule, IsSeenThroughAssignments) {
  const auto problem = suite(
      model_with(parameter("a", "1", false) + parameter("b", "5", false) + parameter("k", "3"),
                 rule("assignmentRule", "a", "<apply><times/><cn>2</cn><ci>b</ci></apply>") + algebraic_rule(sum)));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(definition(*problem, "b"), "k/3");
}

TEST(AlgebraicRule, WithNothingToDetermineIsAnIssue) {
  const auto problem =
      suite(model_with(parameter("a", "1", false) + parameter("b", "5") + parameter("k", "3"),
                       rule("rateRule", "a", "<apply><minus/><ci>a</ci></apply>") + algebraic_rule(sum)));
  ASSERT_FALSE(problem);
  EXPECT_NE(problem.issues().front().message.find("more algebraic equations than variables"), std::string::npos)
      << problem.issues().front().message;
}

TEST(AlgebraicRule, ThatNoFormulaSolvesIsIntegrated) {
  const auto problem = suite(model_with(
      parameter("a", "1", false) + parameter("b", "0.5", false) + parameter("k", "3"),
      rule("rateRule", "a", "<apply><minus/><ci>a</ci></apply>") +
          algebraic_rule(
              "<apply><minus/><apply><plus/><apply><exp/><ci>b</ci></apply><ci>b</ci></apply><ci>a</ci></apply>")));
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  ASSERT_EQ(problem->states.size(), 2u);
  EXPECT_TRUE(problem->states[1].is_algebraic);
  EXPECT_EQ(problem->algebraic[0].state, 1);
}

}  // namespace
}  // namespace salvo::formats::algebraic_tests
