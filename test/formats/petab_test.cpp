#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/petab_files.hpp"
#include "formats/problem/read.hpp"
#include "formats/problem/write.hpp"

namespace salvo::formats::petab_test {
namespace {

model::Problem read(const Texts& files) {
  const Folder folder(files);
  auto problem = read_problem(folder / "problem.yaml");
  if (problem) return *std::move(problem);
  for (const Issue& issue : problem.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

Issue first_issue(const Texts& files) {
  const Folder folder(files);
  const auto problem = read_problem(folder / "problem.yaml");
  return problem ? Issue{.message = "(it was read)"} : problem.issues().front();
}

Texts with(const std::string& file, const std::string& text, Texts files = petab_files()) {
  files[file] = text;
  return files;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

::testing::AssertionResult is_formula(const model::Problem& problem, expression::NodeId node, const std::string& text) {
  expression::Graph graph = problem.graph;
  const auto expected = expression::parse(graph, text);
  if (std::get<expression::Formula>(expected).node == node) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << print(graph, node) << " is not " << text;
}

expression::NodeId initial(const model::Problem& problem, std::size_t experiment, std::size_t state) {
  return std::get<expression::NodeId>(problem.experiments.at(experiment).initial.at(state));
}

TEST(Petab, ParametersKeepTheirLinearBoundsAndTheirScale) {
  const model::Problem problem = read(petab_files());
  const auto& k = std::get<model::Estimated>(problem.parameters.at(0).value);
  EXPECT_EQ(k.lower, 0.01);
  EXPECT_EQ(k.upper, 10);
  EXPECT_EQ(*k.guess, 0.5);
  EXPECT_EQ(k.scale, model::Scale::log10);
  EXPECT_EQ(std::get<double>(problem.parameters.at(2).value), 0.1) << "fixed, whatever its scale";
}

TEST(Petab, AConditionSetsWhereStatesBegin) {
  const model::Problem problem = read(petab_files());
  ASSERT_EQ(problem.experiments.size(), 2u);
  EXPECT_EQ(problem.experiments[0].id, "low");
  EXPECT_TRUE(is_formula(problem, initial(problem, 0, 0), "1"));
  EXPECT_TRUE(is_formula(problem, initial(problem, 0, 1), "2.5")) << "an empty cell leaves the model's own value";
  EXPECT_TRUE(is_formula(problem, initial(problem, 1, 0), "s"));
  EXPECT_TRUE(is_formula(problem, initial(problem, 1, 1), "0.25"));
}

TEST(Petab, AConditionSetsParametersOfTheModel) {
  Texts files = petab_files();
  files["conditions.tsv"] = "conditionId\tc\nlow\t4\nhigh\tNaN\n";
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.experiments[0].overrides.size(), 1u);
  EXPECT_EQ(problem.parameters[problem.experiments[0].overrides[0].first].id, "c");
  EXPECT_TRUE(is_formula(problem, problem.experiments[0].overrides[0].second, "4"));
  EXPECT_TRUE(is_formula(problem, problem.experiments[1].overrides[0].second, "2"));
  EXPECT_TRUE(is_formula(problem, initial(problem, 0, 1), "1.25")) << "an amount of 5 in the new size";
  EXPECT_TRUE(is_formula(problem, initial(problem, 0, 0), "3")) << "a concentration stays";
}

// In the second condition, rows fill the placeholders of b in another way.
TEST(Petab, EveryWayToFillPlaceholdersIsAnObservable) {
  const model::Problem problem = read(petab_files());
  ASSERT_EQ(problem.measurements.size(), 4u);
  ASSERT_EQ(problem.observables.size(), 3u);
  EXPECT_EQ(problem.observables[1].id, "b_1");
  EXPECT_TRUE(is_formula(problem, problem.observables[1].formula, "s*B"));
  EXPECT_TRUE(is_formula(problem, problem.observables[2].formula, "3*B"));
  EXPECT_EQ(problem.observables[1].distribution, model::Distribution::log_normal);
  EXPECT_NEAR(problem.graph[*problem.observables[2].noise].value, 0.2 * std::numbers::ln10, 1e-15)
      << "noise of decadic logarithms";
  EXPECT_TRUE(is_formula(problem, *problem.observables[0].noise, "sd"));
  EXPECT_EQ(problem.measurements[3].time, 2) << "the last cells of its row are missing";
}

TEST(Petab, NumbersAsNoiseStayWithTheirMeasurements) {
  Texts files = petab_files();
  files["measurements.tsv"] = replaced(files["measurements.tsv"], "\t3\t0.2", "\ts\t0.2");
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.observables.size(), 2u);
  EXPECT_FALSE(problem.observables[1].noise);
  EXPECT_NEAR(*problem.measurements[2].sigma, 0.2 * std::numbers::ln10, 1e-15);
}

TEST(Petab, PriorsOfVersionOne) {
  Texts files = petab_files();
  files["parameters.tsv"] =
      "parameterId\tparameterScale\tlowerBound\tupperBound\tnominalValue\testimate\tobjectivePriorType\t"
      "objectivePriorParameters\tinitializationPriorType\tinitializationPriorParameters\n"
      "k\tlog10\t0.01\t10\t0.5\t1\tparameterScaleNormal\t-1;0.5\tparameterScaleNormal\t0;1\n"
      "s\tlin\t0.1\t10\t2\t1\tlogNormal\t0;1\tuniform\t1;3\nsd\tlin\t\t\t0.1\t0\t\t\t\t\n";
  const model::Problem problem = read(files);
  const auto& k = std::get<model::Estimated>(problem.parameters[0].value);
  EXPECT_TRUE(k.prior->on_scale);
  EXPECT_EQ(k.prior->location, -1);
  EXPECT_EQ(k.start->shape, model::StartLaw::Shape::normal);
  const auto& s = std::get<model::Estimated>(problem.parameters[1].value);
  EXPECT_EQ(s.prior->law, model::PriorLaw::log_normal);
  EXPECT_FALSE(s.start->on_scale);
}

TEST(Petab, ANominalValueWithoutLogarithmGivesWayToTheBound) {
  Texts files = petab_files();
  files["parameters.tsv"] = replaced(files["parameters.tsv"], "\t10\t0.5\t1", "\t10\t0\t1");
  const model::Problem problem = read(files);
  EXPECT_EQ(std::get<model::Estimated>(problem.parameters[0].value).guess, 0.01);
  ASSERT_EQ(problem.remarks.size(), 1u);
  EXPECT_NE(problem.remarks[0].find("the nominal value of k is 0"), std::string::npos);
}

TEST(Petab, VersionTwoMeansTheSame) {
  const model::Problem problem = read(petab_files_of_version_two());
  ASSERT_EQ(problem.experiments.size(), 2u);
  EXPECT_EQ(problem.experiments[1].start, 1);
  EXPECT_TRUE(is_formula(problem, initial(problem, 1, 0), "s + 1"));
  EXPECT_TRUE(is_formula(problem, problem.observables[1].formula, "s*B"));
  EXPECT_EQ(problem.petab->version, "2.0.0");
}

TEST(Petab, InVersionTwoOnePriorBringsUniformOnesForTheOthers) {
  const model::Problem problem = read(petab_files_of_version_two());
  const auto& k = std::get<model::Estimated>(problem.parameters[0].value);
  const auto& s = std::get<model::Estimated>(problem.parameters[1].value);
  EXPECT_LT(k.prior->log_mass, 0) << "cut at the bounds";
  EXPECT_EQ(s.prior->law, model::PriorLaw::uniform);
  EXPECT_EQ(s.prior->spread, 10);
}

TEST(Petab, TablesMayHaveAnyOrderAndMarksOfOtherSystems) {
  Texts files = petab_files();
  files["measurements.tsv"] =
      "\xEF\xBB\xBFtime\tmeasurement\tremark\tobservableId\tsimulationConditionId\tnoiseParameters\t"
      "observableParameters\r\n1E0\t0.9\t\xC3\xA9\ta\tlow\r\n\r\n2\t1.5\t\tb\thigh\t0.2\t3\r\n";
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.measurements.size(), 2u);
  EXPECT_EQ(problem.measurements[0].time, 1);
  EXPECT_EQ(problem.measurements[1].value, 1.5);
}

TEST(Petab, PreequilibrationIsARestBeforeTheStart) {
  Texts files = petab_files();
  files["conditions.tsv"] = "conditionId\tA\tB\tc\nbefore\t4\t1\t3\nlow\ts\tNaN\t\n";
  files["measurements.tsv"] =
      "observableId\tpreequilibrationConditionId\tsimulationConditionId\tmeasurement\ttime\na\tbefore\tlow\t0.9\t1\n";
  const model::Problem problem = read(files);
  const model::Experiment& experiment = problem.experiments.at(0);
  ASSERT_TRUE(experiment.equilibrate);
  EXPECT_TRUE(is_formula(problem, initial(problem, 0, 0), "s")) << "set after the rest";
  EXPECT_TRUE(is_formula(problem, initial(problem, 0, 1), "1")) << "kept from the rest, which begins here";
  ASSERT_EQ(experiment.equilibrate->initial.size(), 1u);
  EXPECT_TRUE(is_formula(problem, experiment.equilibrate->initial[0].second, "4"));
  ASSERT_EQ(experiment.equilibrate->overrides.size(), 1u);
  EXPECT_TRUE(is_formula(problem, experiment.equilibrate->overrides[0].second, "3"));
  EXPECT_TRUE(is_formula(problem, experiment.overrides.at(0).second, "2"));
}

TEST(Petab, AMeasurementAtInfinityIsOneAtRest) {
  Texts files = petab_files();
  files["measurements.tsv"] =
      "observableId\tsimulationConditionId\tmeasurement\ttime\na\thigh\t0.9\tinf\na\thigh\t0.9\t1\n";
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.experiments.size(), 2u);
  const model::Experiment& rest = problem.experiments[problem.measurements[0].experiment];
  EXPECT_EQ(rest.id, "high_at_rest");
  ASSERT_TRUE(rest.equilibrate);
  EXPECT_TRUE(rest.equilibrate->initial.empty()) << "nothing is set after the rest";
  EXPECT_EQ(problem.measurements[0].time, 0);
  EXPECT_FALSE(problem.experiments[problem.measurements[1].experiment].equilibrate);
}

TEST(Petab, AMeasurementAtInfinityAfterAPreequilibrationBeginsWhereThatEnds) {
  Texts files = petab_files();
  files["conditions.tsv"] = "conditionId\tA\tB\tc\nbefore\t4\t1\t3\nlow\ts\tNaN\t\n";
  files["observables.tsv"] = replaced(files["observables.tsv"], "a\tA\t", "a\tA + piecewise(1, time < 5, 0)\t");
  files["measurements.tsv"] =
      "observableId\tpreequilibrationConditionId\tsimulationConditionId\tmeasurement\ttime\n"
      "a\tbefore\tlow\t0.9\t1\na\tbefore\tlow\t0.9\tinf\n";
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.experiments.size(), 2u);
  EXPECT_EQ(problem.experiments[1].initial_of, 0);
  ASSERT_TRUE(problem.experiments[1].equilibrate);
  EXPECT_TRUE(problem.experiments[1].equilibrate->is_final);
  EXPECT_TRUE(is_formula(problem, problem.observables.at(problem.measurements[1].observable).formula, "A"))
      << "after all time";
}

TEST(Petab, WhatAPeriodSetsLastsUntilAnotherSetsIt) {
  Texts files = petab_files_of_version_two();
  files["conditions.tsv"] += "rest\tc\t3\n";
  files["experiments.tsv"] = "experimentId\ttime\tconditionId\ne1\t-inf\trest\ne1\t0\tlow\ne2\t1\thigh\n";
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.experiments.at(0).overrides.size(), 1u);
  EXPECT_TRUE(is_formula(problem, problem.experiments[0].overrides[0].second, "3"));
  EXPECT_TRUE(is_formula(problem, problem.experiments.at(1).overrides.at(0).second, "2"));
}

TEST(Petab, WhatIsSetAfterAPreequilibrationMayDependOnItsEnd) {
  Texts files = petab_files_of_version_two();
  files["conditions.tsv"] += "rest\tc\t3\nthen\tc\t4\nthen\tA\tA*c\n";
  files["experiments.tsv"] = "experimentId\ttime\tconditionId\ne1\t-inf\trest\ne1\t0.5\tthen\ne2\t1\thigh\n";
  const model::Problem problem = read(files);
  ASSERT_TRUE(problem.experiments.at(0).equilibrate);
  EXPECT_TRUE(problem.experiments[0].equilibrate->initial.empty()) << "nothing is set before";
  ASSERT_EQ(problem.events.size(), 1u);
  EXPECT_TRUE(is_formula(problem, std::get<model::AtTimes>(problem.events[0].trigger).times.at(0), "0.5"));
  EXPECT_EQ(problem.events[0].assignments.size(), 3u) << "the size, and both amounts in it";
}

TEST(Petab, LaterPeriodsAreEvents) {
  Texts files = petab_files_of_version_two();
  files["conditions.tsv"] += "wide\tc\t4*c\nwide\tA\tA + 1\n";
  files["experiments.tsv"] += "e1\t1.5\twide\n";
  const model::Problem problem = read(files);
  ASSERT_EQ(problem.events.size(), 1u);
  EXPECT_EQ(problem.events[0].experiments, std::vector<int>{0});
  ASSERT_EQ(problem.events[0].assignments.size(), 3u) << "the size, and both amounts in it";
  const auto value = [&](const std::string& id) {
    for (const model::Assignment& assignment : problem.events[0].assignments)
      if (problem.states[assignment.state].id == id) return assignment.value;
    return expression::no_node;
  };
  EXPECT_TRUE(is_formula(problem, value("c"), "4*c"));
  EXPECT_TRUE(is_formula(problem, value("A_amount"), "(A_amount/c + 1)*(4*c)"));
  EXPECT_TRUE(is_formula(problem, value("B_amount"), "B_amount*((4*c)/c)")) << "its concentration stays";
}

TEST(Petab, AnEventThatHoldsAtTheStartIsWrittenAsOneAtThatTime) {
  Texts files = petab_files();
  files["model.xml"] = replaced(
      files["model.xml"], "</model>",
      R"(<listOfEvents><event useValuesFromTriggerTime="true"><trigger initialValue="false" persistent="true">)" +
          math("<apply><lt/><ci>A</ci><cn>7</cn></apply>") +
          R"(</trigger><listOfEventAssignments><eventAssignment variable="B">)" + math("<cn>9</cn>") +
          "</eventAssignment></listOfEventAssignments></event></listOfEvents></model>");
  const Written written = write_problem(read(files), "mine");
  EXPECT_TRUE(written.lost.empty());
  const std::string& text = written.files.at(0).text;
  EXPECT_NE(text.find("at: 0"), std::string::npos) << text;
  EXPECT_NE(text.find("piecewise(9, A < 7, B)"), std::string::npos) << text;
  EXPECT_NE(text.find("when: A < 7"), std::string::npos) << text;
}

// --- what is wrong ---

struct Wrong {
  std::string file{};
  std::string from{};
  std::string to{};
  std::string message{};
  int line = 0;
};

class WrongPetab : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongPetab, IsToldWithItsPlace) {
  const Wrong& wrong = GetParam();
  Texts files = petab_files();
  files[wrong.file] = replaced(files[wrong.file], wrong.from, wrong.to);
  const Issue issue = first_issue(files);
  EXPECT_EQ(issue.message, wrong.message);
  EXPECT_EQ(issue.line, wrong.line);
  EXPECT_TRUE(issue.file.ends_with(wrong.file)) << issue.file;
}

INSTANTIATE_TEST_SUITE_P(
    Tables, WrongPetab,
    ::testing::Values(
        Wrong{"parameters.tsv", "log10\t0.01", "log20\t0.01", "unknown scale 'log20'", 2},
        Wrong{"parameters.tsv", "\t2\t1", "\ttwo\t1", "'nominalValue' of s must be a finite number, but is 'two'", 3},
        Wrong{"parameters.tsv", "\nsd", "\nk", "the parameter 'k' is there twice", 4},
        Wrong{"conditions.tsv", "\ts\t0.25", "\tu\t0.25",
              "'A' of condition high must be a number or the name of a parameter, but is 'u'", 3},
        Wrong{"observables.tsv", "a\tA\t", "a\tA + nobody\t", "unknown name 'nobody' in the observable a", 2},
        Wrong{"measurements.tsv", "a\tlow", "a\tmiddle", "unknown condition 'middle'", 2},
        Wrong{"measurements.tsv", "0.9\t1", "0,9\t1", "the measurement must be a finite number, but is '0,9'", 2},
        Wrong{"measurements.tsv", "1.5\t1\ts", "1.5\t1\ts;s", "b has 1 placeholder, but here 2 values are given", 3},
        Wrong{"measurements.tsv", "b\tlow\t1.5", "b\tlow\t-1.5",
              "the noise of b is logarithmic, so -1.5 cannot have been measured", 3}));

TEST(Petab, NothingOutsideItsFolderIsRead) {
  EXPECT_NE(first_issue(with("problem.yaml", replaced(petab_files()["problem.yaml"], "[model.xml]", "[/etc/passwd]")))
                .message.find("is not in the folder of the problem"),
            std::string::npos);
  EXPECT_NE(first_issue(with("problem.yaml", replaced(petab_files()["problem.yaml"], "[model.xml]", "[../model.xml]")))
                .message.find("is not in the folder of the problem"),
            std::string::npos);
}

TEST(Petab, AnExtensionThatIsNeededIsRefusedByName) {
  Texts files = petab_files_of_version_two();
  files["problem.yaml"] += "extensions:\n  sciml: {version: 0.1.0, required: true}\n";
  const Issue issue = first_issue(files);
  EXPECT_EQ(issue.kind, Issue::Kind::unsupported);
  EXPECT_EQ(issue.message, "the extension 'sciml' of PEtab");
  files["problem.yaml"] = replaced(files["problem.yaml"], "required: true", "required: false");
  EXPECT_EQ(first_issue(files).message, "(it was read)");
}

}  // namespace
}  // namespace salvo::formats::petab_test
