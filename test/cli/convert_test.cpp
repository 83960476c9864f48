#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cli/program.hpp"
#include "formats/petab_files.hpp"

// Problems in another format have the same likelihood.
namespace salvo::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

double likelihood(const Folder& folder, const std::string& file) {
  const Outcome outcome = folder.salvo("evaluate " + file + " --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  const std::size_t at = outcome.out.find("\"llh\":");
  return at == std::string::npos ? std::nan("") : std::stod(outcome.out.substr(at + 6));
}

void expect_same_likelihood(const Folder& folder, const std::string& file) {
  const Outcome outcome = folder.salvo("convert " + file + " other");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const double before = likelihood(folder, file);
  const double after = likelihood(folder, "other/other.yaml");
  EXPECT_NEAR(after, before, 1e-9 * std::max(1.0, std::abs(before))) << folder.read("other/other.yaml");
}

void write_all(const Folder& folder, const formats::Texts& files) {
  for (const auto& [name, text] : files) folder.write(name, text);
}

TEST(Convert, PetabProblemsBecomeProblemFiles) {
  for (const formats::Texts& files : {formats::petab_files(), formats::petab_files_of_version_two()}) {
    const Folder folder;
    write_all(folder, files);
    expect_same_likelihood(folder, "problem.yaml");
  }
}

TEST(Convert, FormulasAreWrittenByTheNamesOfTheModel) {
  const Folder folder;
  write_all(folder, formats::petab_files());
  ASSERT_EQ(folder.salvo("convert problem.yaml other.yaml").code, 0);
  const std::string text = folder.read("other.yaml");
  EXPECT_TRUE(contains(text, "  A: -r/c\n")) << text;
  EXPECT_TRUE(contains(text, "  r: c*k*A\n")) << text;
  EXPECT_TRUE(contains(text, "  k: {guess: 0.5, bounds: [0.01, 10], scale: log10}\n")) << text;
  EXPECT_TRUE(contains(text, "  high: {initial: {A: s, B: 0.25}}\n")) << text;
}

TEST(Convert, PreequilibrationIsARest) {
  const Folder folder;
  formats::Texts files = formats::petab_files();
  files["conditions.tsv"] = "conditionId\tA\tB\tk2\nlow\t1\t\t2\nbefore\t4\t3\t1\n";
  files["observables.tsv"] = "observableId\tobservableFormula\tnoiseFormula\na\tA + B*k2\tsd\n";
  files["measurements.tsv"] =
      "observableId\tpreequilibrationConditionId\tsimulationConditionId\tmeasurement\ttime\n"
      "a\tbefore\tlow\t0.9\t1\na\t\tlow\t0.9\t2\n";
  write_all(folder, files);
  expect_same_likelihood(folder, "problem.yaml");
  EXPECT_TRUE(contains(folder.read("other/other.yaml"), "equilibrate:"));
}

TEST(Convert, ProblemFilesBecomePetabProblems) {
  const Folder folder;
  write_decay(folder);
  expect_same_likelihood(folder, "decay.yaml");
  EXPECT_TRUE(contains(folder.read("other/other.yaml"), "format_version: 2.0.0"));
}

// Estimated initial values, a parameter that one experiment sets, definitions, events at known times (one at the
// start), at an estimated time, and by a condition; own noise.
TEST(Convert, ExperimentsAndEventsBecomeConditionsAndPeriods) {
  const Folder folder;
  folder.write("p.yaml",
               "start: 0\nequations: {x: flow - k*x, y: k*x}\n"
               "initial: {x: {guess: 0.7}, y: {guess: 0.2}}\n"
               "parameters: {k: {guess: 0.4, bounds: [0.001, 10], scale: log10}, dose: 2, lag: {guess: 1.3}, in: 0.1}\n"
               "definitions: {flow: in*exp(-t)}\n"
               "observables: {x_seen: {formula: x, noise: 0.1*y + 0.05}, y_seen: {formula: y}}\n"
               "data: p.csv\n"
               "experiments:\n  low: {}\n  high: {set: {dose: 5, k: 2*k}, initial: {y: dose/10}, "
               "events: [{at: 0, add: {x: dose}}]}\n"
               "events:\n- {at: [1, 2], add: {x: dose}}\n- {at: lag, set: {x: x/2, y: x}}\n"
               "- {when: y > 2, set: {y: 0.5}}\n");
  folder.write("p.csv",
               "time,observable,value,experiment,noise\n0,x_seen,1,low,\n1,x_seen,2,low,0.3\n3,y_seen,1,low,0.2\n"
               "0,x_seen,1,high,\n2,x_seen,2,high,0.3\n3,y_seen,1,high,0.2\n2.5,x_seen,0.7,high,\n");
  expect_same_likelihood(folder, "p.yaml");
}

TEST(Convert, ExperimentsThatBeginAtRestAreEquilibratedFirst) {
  const Folder folder;
  folder.write(
      "p.yaml",
      "equations: {x: ligand - k*x, y: k*x - y}\ninitial: {x: 1, y: 0.5}\n"
      "parameters: {k: {guess: 0.4}, ligand: 0}\nobservables: {y_seen: {formula: y, noise: 0.1}}\ndata: p.csv\n"
      "experiments:\n  a: {set: {ligand: 1}, equilibrate: {set: {ligand: 2}}}\n"
      "  b: {set: {ligand: 3*k}, initial: {y: 4}, equilibrate: {set: {ligand: 1}, initial: {x: 2}}}\n");
  folder.write("p.csv", "time,y_seen,experiment\n0,1,a\n1,1.5,a\n0,3,b\n1,2,b\n");
  expect_same_likelihood(folder, "p.yaml");
}

TEST(Convert, SaysWhatPetabCannotSay) {
  const Folder folder;
  write_decay(folder);
  folder.write("more.yaml", folder.read("decay.yaml") + "constraints: [k <= 3]\nmethod: lagrangian\n");
  const Outcome outcome = folder.salvo("convert more.yaml other");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "the constraint k <= 3")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "the method")) << outcome.err;
}

TEST(Convert, RefusesWhatWouldBeAnotherProblem) {
  const Folder folder;
  folder.write("p.yaml",
               "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
               "observables: {a: {formula: x, distribution: student-t(4), noise: 1}}\ndata: p.csv\n");
  folder.write("p.csv", "time,a\n1,0.5\n2,<0.2\n");
  const Outcome outcome = folder.salvo("convert p.yaml other");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(contains(outcome.err, "student-t")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "below or above a limit")) << outcome.err;
  EXPECT_FALSE(folder.has("other"));
}

TEST(Convert, WritesOverNothingUnlessTold) {
  const Folder folder;
  write_decay(folder);
  std::filesystem::create_directory(folder.path() / "other");
  folder.write("other/other.yaml", "mine");
  const Outcome outcome = folder.salvo("convert decay.yaml other");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "is there already; nothing was written")) << outcome.err;
  EXPECT_EQ(folder.read("other/other.yaml"), "mine");
  EXPECT_FALSE(folder.has("other/other_model.xml"));
  EXPECT_EQ(folder.salvo("convert decay.yaml other --replace").code, 0);
  EXPECT_TRUE(folder.has("other/other_model.xml"));
}

}  // namespace
}  // namespace salvo::test
