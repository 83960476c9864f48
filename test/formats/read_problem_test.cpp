#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/sha256.hpp"
#include "expression/parse.hpp"
#include "expression/print.hpp"
#include "formats/folder.hpp"
#include "formats/problem/new_problem.hpp"
#include "formats/problem/read.hpp"
#include "formats/wrong_input.hpp"

namespace salvo::formats::read_problem_test {
namespace {

using model::Estimated;

model::Problem read(const Files& files) {
  const Folder folder(files);
  auto result = read_problem(folder / "problem.yaml");
  if (!result) {
    for (const Issue& issue : result.issues()) ADD_FAILURE() << to_string(issue);
    return {};
  }
  return *std::move(result);
}

model::Problem read(const std::string& yaml, const std::string& data = good_data()) {
  return read({{"problem.yaml", yaml}, {"data.csv", data}});
}

Issues issues_of(const std::string& yaml, const std::string& data = good_data()) {
  const Folder folder({{"problem.yaml", yaml}, {"data.csv", data}});
  const auto result = read_problem(folder / "problem.yaml");
  return result ? Issues{} : result.issues();
}

// Equal formulas are one node of a graph, whatever the order in which they are printed.
::testing::AssertionResult is_formula(const model::Problem& problem, expression::NodeId node, const std::string& text) {
  expression::Graph graph = problem.graph;
  const auto expected = expression::parse(graph, text);
  if (std::get<expression::Formula>(expected).node == node) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << print(graph, node) << " is not " << text;
}

const Estimated& estimated(const model::Problem& problem, std::size_t parameter) {
  return std::get<Estimated>(problem.parameters.at(parameter).value);
}

TEST(ReadProblem, KeepsStatesAndTheirEquationsInOrder) {
  const auto problem = read(good_problem());
  EXPECT_EQ(problem.title, "Predator and prey");
  ASSERT_EQ(problem.states.size(), 2u);
  EXPECT_EQ(problem.states[0].id, "x1");
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "-p1*x1 + p2*x1*x2"));
  EXPECT_TRUE(is_formula(problem, problem.states[1].derivative, "p3*x2 - p4*x1*x2"));
}

TEST(ReadProblem, KnowsConstantsFromWhatIsEstimated) {
  const auto problem = read(good_problem());
  ASSERT_EQ(problem.parameters.size(), 4u);
  EXPECT_EQ(estimated(problem, 0).guess, 0.5);
  EXPECT_EQ(estimated(problem, 0).lower, -2);
  EXPECT_EQ(estimated(problem, 0).upper, 5);
  EXPECT_EQ(estimated(problem, 1).upper, std::numeric_limits<double>::infinity());
  EXPECT_EQ(std::get<double>(problem.parameters[2].value), 0.5);
  EXPECT_EQ(std::get<double>(problem.parameters[3].value), 0.2);
}

TEST(ReadProblem, EstimatesInitialValuesThatAreLeftOut) {
  const auto problem = read(good_problem());
  ASSERT_EQ(problem.experiments.size(), 1u);
  EXPECT_EQ(problem.experiments[0].id, "default");
  EXPECT_EQ(std::get<Estimated>(problem.experiments[0].initial[0]).guess, 0.4);
  EXPECT_FALSE(std::get<Estimated>(problem.experiments[0].initial[1]).guess.has_value());
}

TEST(ReadProblem, ReadsKnownInitialValuesAsFormulasOfParameters) {
  const auto problem =
      read(changed("  x1: {guess: 0.4}", "  x1: 0.25\n  x2: 2*total") + "definitions: {total: p1 + p2}\n");
  EXPECT_TRUE(is_formula(problem, std::get<expression::NodeId>(problem.experiments[0].initial[0]), "0.25"));
  EXPECT_TRUE(is_formula(problem, std::get<expression::NodeId>(problem.experiments[0].initial[1]), "2*(p1 + p2)"));
}

TEST(ReadProblem, PutsDefinitionsInWhateverTheirOrder) {
  const auto problem = read(changed("-p1*x1 + p2*x1*x2", "b") + "definitions:\n  b: 2*a\n  a: x1 + time\n");
  EXPECT_TRUE(is_formula(problem, problem.states[0].derivative, "2*(x1 + t)"));
}

TEST(ReadProblem, TakesPiAndEForNumbersUnlessTheFileDefinesThem) {
  const auto plain = read(changed("-p1*x1 + p2*x1*x2", "pi*e"));
  ASSERT_TRUE(plain.graph.is_constant(plain.states[0].derivative));
  EXPECT_DOUBLE_EQ(plain.graph[plain.states[0].derivative].value, 3.141592653589793 * 2.718281828459045);
  const auto own = read(changed("-p1*x1 + p2*x1*x2", "e*x1") + "definitions: {e: p1}\n");
  EXPECT_TRUE(is_formula(own, own.states[0].derivative, "p1*x1"));
}

TEST(ReadProblem, ReadsFormulasThatBeginWithAMinusOverSeveralLinesOrInQuotes) {
  const auto folded = read(changed("-p1*x1 + p2*x1*x2", "-p1*x1\n      + p2*x1*x2"));
  const auto quoted = read(changed("-p1*x1 + p2*x1*x2", "'-p1*x1 + p2*x1*x2'"));
  EXPECT_TRUE(is_formula(folded, folded.states[0].derivative, "-p1*x1 + p2*x1*x2"));
  EXPECT_TRUE(is_formula(quoted, quoted.states[0].derivative, "-p1*x1 + p2*x1*x2"));
}

TEST(ReadProblem, TakesTheMiddleOfTheBoundsOnTheScaleAsAGuess) {
  EXPECT_EQ(estimated(read(changed("{guess: 0.5}", "{bounds: [1, 4]}")), 1).guess, 2.5);
  const auto log_scaled = read(changed("{guess: 0.5}", "{bounds: [1, 4], scale: log}"));
  EXPECT_NEAR(*estimated(log_scaled, 1).guess, 2, 1e-12);  // the geometric mean
  EXPECT_EQ(estimated(log_scaled, 1).scale, model::Scale::log);
}

TEST(ReadProblem, AcceptsAGuessOnItsBound) {
  EXPECT_EQ(estimated(read(changed("{guess: 0.5}", "{guess: 0, bounds: [0, .inf]}")), 1).guess, 0);
}

TEST(ReadProblem, ReadsPriorsInBothForms) {
  for (const char* form : {"{guess: 1, prior: laplace(0.5, 2)}", "{guess: 1, prior: \"laplace(0.5,2)\"}",
                           "{guess: 1, prior: {laplace: [0.5, 2]}}"}) {
    const auto prior = estimated(read(changed("{guess: 0.5}", form)), 1).prior;
    ASSERT_TRUE(prior) << form;
    EXPECT_EQ(prior->law, model::PriorLaw::laplace);
    EXPECT_EQ(prior->location, 0.5);
    EXPECT_EQ(prior->spread, 2);
    EXPECT_FALSE(prior->on_scale);
  }
  const auto scaled = read(changed("{guess: 0.5}", "{guess: 1, scale: log10, prior: {normal: [0, 1], on: scale}}"));
  EXPECT_TRUE(estimated(scaled, 1).prior->on_scale);
}

TEST(ReadProblem, EveryLawCanBeAPrior) {
  for (const std::string& law : model::known_names<model::PriorLaw>()) {
    const bool takes_one = law == "exponential" || law == "chisquare" || law == "rayleigh";
    const std::string numbers = takes_one ? "2" : "0.5, 2";
    for (const std::string& form : {law + "(" + numbers + ")", "{" + law + ": [" + numbers + "]}"}) {
      const auto its = estimated(read(changed("{guess: 0.5}", "{guess: 1, prior: " + form + "}")), 1);
      ASSERT_TRUE(its.prior) << form;
      EXPECT_EQ(model::to_string(its.prior->law), law);
      EXPECT_EQ(its.prior->location, takes_one ? 0 : 0.5) << form;
      EXPECT_EQ(its.prior->spread, 2) << form;
      EXPECT_EQ(its.upper == 2, law.ends_with("uniform")) << "there is nothing beyond its ends";
    }
  }
}

// Half of a normal law lies above its mean.
TEST(ReadProblem, APriorMayBeCutAtTheBounds) {
  const auto its = estimated(
      read(changed("{guess: 0.5}", "{guess: 1, bounds: [0, .inf], prior: {normal: [0, 3], within: bounds}}")), 1);
  EXPECT_NEAR(its.prior->log_mass, std::log(0.5), 1e-14);
}

TEST(ReadProblem, StartsMayBeDrawnFromALaw) {
  const auto its =
      estimated(read(changed("{guess: 0.5}", "{guess: 1, scale: log10, starts: {normal: [-1, 2], on: scale}}")), 1);
  ASSERT_TRUE(its.start);
  EXPECT_EQ(its.start->shape, model::StartLaw::Shape::normal);
  EXPECT_EQ(its.start->a, -1);
  EXPECT_EQ(its.start->b, 2);
  EXPECT_TRUE(its.start->on_scale);
}

TEST(ReadProblem, ReadsObservablesAsPlainFormulasAndNoiseThatUsesThem) {
  const auto problem =
      read(changed("{formula: x2, noise: 0.05}", "{formula: 2*x2, noise: 0.1 + p1*prey, distribution: log-laplace}"));
  const model::Observable& prey = problem.observables[1];
  EXPECT_TRUE(is_formula(problem, prey.formula, "2*x2"));
  const auto symbols = expression::symbols_of(problem.graph, {&*prey.noise, 1});
  ASSERT_EQ(symbols.size(), 2u);  // p1 and x2, not prey
  EXPECT_EQ(prey.distribution, model::Distribution::log_laplace);
}

TEST(ReadProblem, ReadsLawsWithWhatBelongsToThem) {
  const auto student =
      read(changed("{formula: x2, noise: 0.05}", "{formula: x2, noise: 0.1, distribution: student-t(4.5)}"));
  EXPECT_EQ(student.observables[1].distribution, model::Distribution::student_t);
  EXPECT_EQ(student.observables[1].shape, 4.5);
  const std::string counts = "time,predator,prey\n0,1,1\n1,1,2\n";
  const auto poisson = read(changed("{formula: x2, noise: 0.05}", "{formula: x2, distribution: poisson}"), counts);
  EXPECT_EQ(poisson.observables[1].distribution, model::Distribution::poisson);
  EXPECT_TRUE(poisson.remarks.empty());  // nothing is estimated
  const auto overdispersed =
      read(changed("{formula: x2, noise: 0.05}", "{formula: x2, distribution: negative-binomial(2*p1)}"), counts);
  EXPECT_TRUE(is_formula(overdispersed, *overdispersed.observables[1].noise, "2*p1"));
}

TEST(ReadProblem, ReadsLimits) {
  const auto problem = read(changed("", ""), "time,predator,prey\n0,<0.1,1\n1,> 50,2\n");
  EXPECT_EQ(problem.measurements[0].censored, model::Censored::below);
  EXPECT_EQ(problem.measurements[0].value, 0.1);
  EXPECT_EQ(problem.measurements[1].censored, model::Censored::no);
  EXPECT_EQ(problem.measurements[2].censored, model::Censored::above);
  EXPECT_EQ(problem.measurements[2].value, 50);
}

TEST(ReadProblem, EstimatesNoiseThatIsStatedNowhereAndSaysSo) {
  const auto problem = read(changed("{formula: x2, noise: 0.05}", "x2"), "time,predator,prey\n0,1,1\n1,1,2\n2,1,3\n");
  ASSERT_EQ(problem.parameters.size(), 5u);
  EXPECT_EQ(problem.parameters[4].id, "noise_prey");
  EXPECT_NEAR(*estimated(problem, 4).guess, 0.2, 1e-14);  // the values 1, 2, 3 deviate by 1
  EXPECT_EQ(estimated(problem, 4).scale, model::Scale::log);
  EXPECT_EQ(problem.observables[1].noise, problem.parameters[4].symbol);
  ASSERT_EQ(problem.remarks.size(), 1u);
  EXPECT_EQ(problem.remarks[0], "noise of prey: estimated");
}

TEST(ReadProblem, SaysOnceWhichNoisesAreEstimated) {
  std::string yaml = changed("{formula: x2, noise: 0.05}", "x2");
  const std::string stated = "{formula: x1, noise: 0.05}";
  ASSERT_NE(yaml.find(stated), std::string::npos);
  yaml.replace(yaml.find(stated), stated.size(), "x1");
  const auto problem = read(yaml, "time,predator,prey\n0,1,1\n1,1,2\n2,1,3\n");
  ASSERT_EQ(problem.remarks.size(), 1u);
  EXPECT_EQ(problem.remarks[0], "noise of predator and prey: estimated");
}

TEST(ReadProblem, GuessesEstimatedNoiseFromDataThatDoNotVary) {
  const std::string yaml = changed("{formula: x2, noise: 0.05}", "x2");
  EXPECT_NEAR(*estimated(read(yaml, "time,prey\n0,5\n1,5\n"), 4).guess, 0.5, 1e-14);
  EXPECT_EQ(*estimated(read(yaml, "time,prey\n0,0\n"), 4).guess, 1);
}

TEST(ReadProblem, LeavesNoiseToTheDataWhereEveryValueCarriesItsOwn) {
  const auto problem = read(changed("{formula: x2, noise: 0.05}", "x2"),
                            "time,observable,value,noise\n0,prey,1,0.1\n0,predator,3,NA\n1,prey,2,0.2\n");
  EXPECT_FALSE(problem.observables[1].noise.has_value());
  EXPECT_TRUE(problem.remarks.empty());
  ASSERT_EQ(problem.measurements.size(), 3u);
  EXPECT_EQ(problem.measurements[2].sigma, 0.2);
  EXPECT_FALSE(problem.measurements[1].sigma.has_value());
}

TEST(ReadProblem, ReadsWideDataWithGapsCommentsAndReplicates) {
  const auto problem =
      read(good_problem(), "# counted\ntime, predator ,\"prey\"\n0,1,2\n\n  # again\n0,NA,3\n1,,4e-1\n");
  ASSERT_EQ(problem.measurements.size(), 4u);
  EXPECT_EQ(problem.measurements[0].observable, 0);
  EXPECT_EQ(problem.measurements[1].value, 2);
  EXPECT_EQ(problem.measurements[2].time, 0);
  EXPECT_EQ(problem.measurements[2].value, 3);
  EXPECT_EQ(problem.measurements[3].value, 0.4);
}

TEST(ReadProblem, ReadsSeveralFilesTabsAndValidation) {
  const auto problem = read({{"problem.yaml", changed("data.csv", "[a.csv, b.tsv]") + "validation: later.csv\n"},
                             {"a.csv", "time,predator\n0,1\n"},
                             {"b.tsv", "time\tobservable\tvalue\n1\tprey\t2\n"},
                             {"later.csv", "time,prey\n9,7\n"}});
  ASSERT_EQ(problem.data_files.size(), 3u);
  EXPECT_TRUE(problem.data_files[1].ends_with("/b.tsv"));
  ASSERT_EQ(problem.measurements.size(), 2u);
  EXPECT_EQ(problem.measurements[1].observable, 1);
  ASSERT_EQ(problem.validation.size(), 1u);
  EXPECT_EQ(problem.validation[0].value, 7);
}

// Observables may have the names of columns.
TEST(ReadProblem, ReadsLongTablesOfAnObservableNamedValue) {
  for (const std::string name : {"value", "observable"}) {
    SCOPED_TRACE(name);
    const std::string problem = changed("predator: {formula", name + ": {formula");
    const auto in_long = read(problem, "time,observable,value\n3," + name + ",0.5\n4,prey,0.7\n");
    ASSERT_EQ(in_long.measurements.size(), 2u);
    EXPECT_EQ(in_long.measurements[0].observable, 0);
    EXPECT_EQ(in_long.measurements[0].time, 3);
    EXPECT_EQ(in_long.measurements[0].value, 0.5);
    EXPECT_EQ(in_long.measurements[1].value, 0.7);
    const auto in_wide = read(problem, "time," + name + ",prey\n3,0.5,0.7\n");
    ASSERT_EQ(in_wide.measurements.size(), 2u);
    EXPECT_EQ(in_wide.measurements[0].value, 0.5);
  }
}

TEST(ReadProblem, ReadsWideTablesOfObservablesNamedObservableAndValue) {
  std::string both = changed("predator: {formula", "observable: {formula");
  both.replace(both.find("  prey:"), 7, "  value:");
  const auto problem = read(both, "time,observable,value\n3,0.5,0.7\n");
  ASSERT_EQ(problem.measurements.size(), 2u);
  EXPECT_EQ(problem.measurements[1].value, 0.7);
}

TEST(ReadProblem, WarnsOfAndBesideOr) {
  const auto problem = read(changed("p3*x2", "piecewise(p3, x1 > 1 || x2 > 1 && t > 1, 0)*x2"));
  ASSERT_EQ(problem.warnings.size(), 1u);
  EXPECT_NE(problem.warnings[0].message.find("same rank"), std::string::npos) << problem.warnings[0].message;
  EXPECT_EQ(problem.warnings[0].line, 4);
}

// sha256sum of the same texts.
TEST(ReadProblem, KeepsTheHashesOfTheBytesItRead) {
  const auto problem = read(good_problem(), "time,prey\r\n0,1\r\n");
  ASSERT_EQ(problem.files_read.size(), 2u);
  EXPECT_TRUE(problem.files_read[0].name.ends_with("problem.yaml"));
  EXPECT_EQ(problem.files_read[0].sha256, sha256(good_problem()));
  EXPECT_EQ(problem.files_read[1].sha256, sha256("time,prey\r\n0,1\r\n"));
}

TEST(ReadProblem, ReadsFilesFromOtherSystems) {
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : good_problem()) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(read(windows, "time,prey\r\n0,1\r\n").measurements.size(), 1u);
}

TEST(ReadProblem, LetsExperimentsReplaceParametersInitialValuesAndStart) {
  const auto problem = read(
      longer("start: 1\nexperiments:\n  low: {set: {p3: 2*p4, p1: 3}, initial: {x1: 0.2, x2: {guess: 4}}, start: -1}\n"
             "  plain:\n"),
      "experiment,time,prey\nlow,-1,1\nplain,1,2\nlow,2,3\n");
  ASSERT_EQ(problem.experiments.size(), 2u);
  const model::Experiment& low = problem.experiments[0];
  EXPECT_EQ(low.start, -1);
  ASSERT_EQ(low.overrides.size(), 2u);
  EXPECT_EQ(low.overrides[0].first, 2);
  EXPECT_TRUE(is_formula(problem, low.overrides[0].second, "2*p4"));
  EXPECT_TRUE(is_formula(problem, std::get<expression::NodeId>(low.initial[0]), "0.2"));
  EXPECT_EQ(std::get<Estimated>(low.initial[1]).guess, 4);
  EXPECT_EQ(problem.experiments[1].start, 1);
  EXPECT_EQ(std::get<Estimated>(problem.experiments[1].initial[0]).guess, 0.4);
  EXPECT_EQ(problem.measurements[1].experiment, 1);
}

TEST(ReadProblem, NeedsNoExperimentColumnForOneExperiment) {
  EXPECT_EQ(read(longer("experiments: {only: {set: {p3: 1}}}\n")).measurements[0].experiment, 0);
}

TEST(ReadProblem, ReadsHowToSolveIt) {
  const auto problem =
      read(longer("shooting: {nodes: [0, 1, 2.5], start: simulate}\nmethod: scalar\n"
                  "integrator: {name: rk4, step: 0.1}\n"));
  EXPECT_EQ(std::get<model::NodeTimes>(problem.settings.nodes).times, (std::vector<double>{0, 1, 2.5}));
  EXPECT_EQ(problem.settings.start, model::StartValues::simulate);
  EXPECT_EQ(problem.settings.method, model::Method::scalar);
  EXPECT_EQ(problem.settings.integrator, model::Integrator(model::Rk4{.step = 0.1}));
  const auto other = read(longer("shooting: {nodes: 7}\nintegrator: {name: dopri5, rtol: 1e-6, atol: 1e-9}\n"));
  EXPECT_EQ(std::get<model::IntervalCount>(other.settings.nodes).intervals, 7);
  EXPECT_EQ(other.settings.integrator, model::Integrator(model::Dopri5{.rtol = 1e-6, .atol = 1e-9}));
}

TEST(ReadProblem, ExpandsAliases) {
  const auto problem = read(changed("p1: {guess: 0.5, bounds: [-2, 5]}", "p1: &usual {guess: 0.5}\n  p5: *usual"));
  EXPECT_EQ(estimated(problem, 1).guess, 0.5);
}

TEST(ReadProblem, CountsSectionsWithoutContentAsAbsent) {
  EXPECT_EQ(read(longer("definitions:\nexperiments:\nconstraints:\nevents:\nshooting:\nvalidation:\nmethod:\n"))
                .measurements.size(),
            4u);
}

TEST(ReadProblem, EqualBoundsMakeAConstant) {
  const auto problem = read(changed("p1: {guess: 0.5, bounds: [-2, 5]}", "p1: {guess: 2, bounds: [2, 2]}"));
  EXPECT_EQ(std::get<double>(problem.parameters[0].value), 2);
  ASSERT_EQ(problem.warnings.size(), 1u);
  EXPECT_EQ(problem.warnings[0].message, "the bounds of p1 are equal: it is held at 2");
  const auto initial = read(changed("x1: {guess: 0.4}", "x1: {bounds: [0.3, 0.3]}"));
  EXPECT_TRUE(initial.graph.is_constant(std::get<model::NodeId>(initial.experiments[0].initial[0]), 0.3));
}

TEST(ReadProblem, KnowsConstraints) {
  const auto problem = read(longer("constraints:\n  - 0 <= p1 < 2*p2\n  - initial( x1 ) == p1\n  - x1 >= x2\n"));
  std::vector<std::string> texts;
  std::vector<std::string> formulas;
  for (const model::Constraint& constraint : problem.constraints) {
    texts.push_back(constraint.text);
    formulas.push_back(expression::print(problem.graph, constraint.formula));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"0 <= p1", "p1 < 2*p2", "initial( x1 ) == p1", "x1 >= x2"}));
  EXPECT_EQ(formulas, (std::vector<std::string>{"-p1", "p1 - 2*p2", "initial value of x1 - p1", "x2 - x1"}));
  EXPECT_TRUE(problem.constraints[2].is_equality);
  EXPECT_FALSE(problem.constraints[1].is_equality);
  EXPECT_NE(problem.states[0].initial, expression::no_node);
  EXPECT_EQ(problem.states[1].initial, expression::no_node);
}

TEST(ReadProblem, WarnsOfAConstraintThatAlwaysHolds) {
  const auto problem = read(longer("constraints:\n  - p3 > p4\n"));
  EXPECT_TRUE(problem.constraints.empty());
  ASSERT_EQ(problem.warnings.size(), 1u);
  EXPECT_EQ(problem.warnings[0].message, "the constraint 'p3 > p4' holds whatever is estimated");
}

TEST(ReadProblem, CollectsAllIssuesInTheOrderOfTheirPlaces) {
  const Issues issues =
      issues_of(changed("p2*x1*x2\n", "kk\n") + "method: fast\n", "time,predator,prey\n0,a,1\n1,2,b\n");
  std::vector<std::pair<int, int>> places;
  for (const Issue& issue : issues) places.push_back({issue.line, issue.column});
  EXPECT_EQ(places, (std::vector<std::pair<int, int>>{{3, 16}, {16, 9}, {2, 3}, {3, 5}}));
}

TEST(ReadProblem, ShowsAHundredIssuesAndCountsTheOthers) {
  std::string data = "time,prey\n";
  for (int i = 0; i < 250; ++i) data += std::to_string(i) + ",bad\n";
  const Issues issues = issues_of(good_problem(), data);
  ASSERT_EQ(issues.size(), 101u);
  EXPECT_EQ(issues[99].line, 101);
  EXPECT_EQ(issues[100].message, "and 150 more");
}

TEST(ReadProblem, WarnsOfExperimentsAndObservablesWithoutData) {
  const auto problem = read(longer("experiments:\n  low: {}\n  high: {}\n"), "experiment,time,prey\nlow,0,1\n");
  ASSERT_EQ(problem.warnings.size(), 2u);
  EXPECT_EQ(problem.warnings[0].message, "no measurement of 'predator'");
  EXPECT_EQ(problem.warnings[0].line, 13);
  EXPECT_EQ(problem.warnings[1].message, "no measurement of experiment 'high'");
}

TEST(ReadProblem, CallsAMissingFileUnreadable) {
  const Folder folder;
  const auto missing = read_problem(folder / "nothing.yaml");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.issues()[0].kind, Issue::Kind::unreadable);
  const auto a_folder = read_problem(folder / ".");
  ASSERT_FALSE(a_folder);
  EXPECT_EQ(a_folder.issues()[0].kind, Issue::Kind::unreadable);
}

// Made here and not in the table of wrong inputs, which every test process would otherwise carry.
TEST(ReadProblem, RefusesALineOf64Megabytes) {
  const std::string line(std::size_t{64} << 20U, '1');
  {
    const Folder folder({{"problem.yaml", good_problem() + "# " + line + "\n"}, {"data.csv", good_data()}});
    const auto result = read_problem(folder / "problem.yaml");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.issues()[0].file, folder / "problem.yaml");
    EXPECT_EQ(result.issues()[0].line, 16);
    EXPECT_EQ(result.issues()[0].column, 1);
  }
  const Folder folder({{"problem.yaml", good_problem()}, {"data.csv", good_data() + "3," + line + ",1\n"}});
  const auto result = read_problem(folder / "problem.yaml");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.issues()[0].file, folder / "data.csv");
  EXPECT_EQ(result.issues()[0].line, 5);
  EXPECT_EQ(result.issues()[0].column, 1);
}

TEST(NewProblem, ReadsBackWithoutIssues) {
  const auto files = new_problem("hares");
  ASSERT_TRUE(files);
  ASSERT_EQ(files->files.size(), 2u);
  const Folder folder({{files->files[0].name, files->files[0].text}, {files->files[1].name, files->files[1].text}});
  const auto problem = read_problem(folder / "hares.yaml");
  ASSERT_TRUE(problem) << to_string(problem.issues().front());
  EXPECT_EQ(problem->measurements.size(), 22u);
  EXPECT_TRUE(problem->warnings.empty());
}

TEST(NewProblem, NeverTouchesWhatExists) {
  const Folder folder(Files{{"hares", "mine"}});
  const auto files = new_problem(folder / "hares");
  ASSERT_FALSE(files);
  ASSERT_EQ(files.issues().size(), 1u);
  EXPECT_EQ(files.issues()[0].kind, Issue::Kind::unreadable);
  EXPECT_EQ(std::filesystem::file_size(folder / "hares"), 4u);
}

}  // namespace
}  // namespace salvo::formats::read_problem_test
