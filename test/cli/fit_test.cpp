#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

bool has_control_characters(const std::string& text) { return text.find_first_of("\r\033") != text.npos; }

class FitCommand : public testing::Test {
 protected:
  FitCommand() { write_decay(folder_); }

  // The estimate of k in a table that a fit wrote; the data are exact for k = 0.5.
  double k_in(const std::string& results) const {
    const std::string table = folder_.read(results + "/estimates.tsv");
    const std::size_t row = table.find("\nk\t\t");
    return row == table.npos ? -1 : std::stod(table.substr(row + 4));
  }

  Folder folder_;
};

TEST_F(FitCommand, WritesItsResultsBesideTheUser) {
  const Outcome outcome = folder_.salvo("fit decay.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* file :
       {"fit.json", "estimates.tsv", "trajectories.csv", "residuals.csv", "start.svg", "solution.svg"})
    EXPECT_TRUE(folder_.has(std::string("decay.fit/") + file)) << file;
  EXPECT_NEAR(k_in("decay.fit"), 0.5, 1e-6);
  EXPECT_TRUE(says(outcome.out, "decay.fit"));
}

TEST_F(FitCommand, WithJsonStandardOutputIsTheFileFitJson) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --json --out results");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, folder_.read("results/fit.json"));
  EXPECT_TRUE(says(outcome.out, "\"converged\""));
}

TEST_F(FitCommand, OffATerminalThereAreNoControlCharacters) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --verbose");
  EXPECT_FALSE(has_control_characters(outcome.out + outcome.err));
  EXPECT_TRUE(says(outcome.err, "largest gap"));
}

TEST_F(FitCommand, VerboseRowsSayTheirPhaseAndTheRuleThatTookTheStep) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --verbose");
  EXPECT_TRUE(says(outcome.err, "phase: rule"));
  EXPECT_TRUE(says(outcome.err, ": start\n")) << outcome.err;
  EXPECT_TRUE(says(outcome.err, ": full\n")) << outcome.err;
}

TEST_F(FitCommand, OnATerminalProgressIsDrawn) {
  const Outcome outcome = folder_.salvo_on_terminal("fit decay.yaml");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.out, "\r\033[K"));
  EXPECT_TRUE(says(outcome.out, "iteration"));
}

TEST_F(FitCommand, QuietIsQuietOnATerminalToo) {
  const Outcome outcome = folder_.salvo_on_terminal("fit decay.yaml --quiet");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
}

TEST_F(FitCommand, NoColorIsRespected) {
  const Outcome outcome = folder_.salvo_on_terminal("fit decay.yaml", "NO_COLOR=1");
  EXPECT_FALSE(says(outcome.out, "m\033[")) << outcome.out;
  EXPECT_FALSE(says(outcome.out, "\033[0m")) << outcome.out;
}

TEST_F(FitCommand, TooFewIterationsEndWithFourAndWriteWhatWasReached) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --guess k=3 --max-iterations 1");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(says(folder_.read("decay.fit/fit.json"), "\"iterations\": 1"));
}

TEST_F(FitCommand, StartsFromAnEarlierFit) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml").code, 0);
  const Outcome outcome =
      folder_.salvo("fit decay.yaml --from decay.fit --out again --nodes single --max-iterations 3");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NEAR(k_in("again"), 0.5, 1e-6);
}

TEST_F(FitCommand, SaysThatTheEarlierFitIsMissing) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --from nowhere");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "nowhere"));
  EXPECT_FALSE(folder_.has("decay.fit"));
}

TEST_F(FitCommand, NamesAGuessThatTheProblemDoesNotHave) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --guess kk=1 --fix speed=2");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "--guess"));
  EXPECT_TRUE(says(outcome.err, "kk"));
  EXPECT_TRUE(says(outcome.err, "speed"));
}

TEST_F(FitCommand, RefusesAnInvalidProblemWithTwo) {
  folder_.write("bad.yaml", folder_.read("decay.yaml").replace(0, 18, "equations:\n  x: -kk*x"));
  const Outcome outcome = folder_.salvo("fit bad.yaml --json");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.out, "\"invalid\""));
  EXPECT_TRUE(says(outcome.out, "kk"));
  EXPECT_FALSE(folder_.has("bad.fit"));
}

TEST_F(FitCommand, ResultsDoNotDependOnTheNumberOfThreads) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml --starts 3 --threads 1 --out one").code, 0);
  ASSERT_EQ(folder_.salvo("fit decay.yaml --starts 3 --threads 2 --out two").code, 0);
  EXPECT_EQ(folder_.read("one/estimates.tsv"), folder_.read("two/estimates.tsv"));
  const auto without_seconds = [](const std::string& table) {
    return std::regex_replace(table, std::regex("(\n[^,]*(,[^,]*){6}),[^,]*"), "$1");
  };
  EXPECT_EQ(without_seconds(folder_.read("one/starts.csv")), without_seconds(folder_.read("two/starts.csv")));
}

TEST_F(FitCommand, SaysThatTheFolderCannotBeMade) {
  const Outcome outcome = folder_.salvo("fit decay.yaml --out decay.csv/inside");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(says(outcome.err, "--out"));
}

TEST_F(FitCommand, ObeysConstraintsAndNamesThoseThatAreActive) {
  folder_.write("held.yaml", folder_.read("decay.yaml") + "constraints:\n  - 2*k >= 1.2\n");
  const Outcome outcome = folder_.salvo("fit held.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(k_in("held.fit"), 0.6, 1e-12);
  EXPECT_TRUE(says(outcome.out, "2*k >= 1.2  active")) << outcome.out;
  EXPECT_TRUE(says(folder_.read("held.fit/fit.json"), "\"text\":\"2*k >= 1.2\",\"active\":true"));
}

TEST_F(FitCommand, ConstraintsThatContradictEachOtherEndWithFour) {
  folder_.write("torn.yaml", folder_.read("decay.yaml") + "constraints:\n  - k >= 2\n  - k <= 1\n");
  const Outcome outcome = folder_.salvo("fit torn.yaml");
  EXPECT_EQ(outcome.code, 4);
  const std::string result = folder_.read("torn.fit/fit.json");
  EXPECT_TRUE(says(result, "\"status\": \"infeasible\""));
  EXPECT_TRUE(says(result, "'k >= 2' and 'k <= 1'")) << result;
}

TEST_F(FitCommand, AMethodWithoutConstraintsRefusesThemWithThree) {
  folder_.write("held.yaml", folder_.read("decay.yaml") + "constraints:\n  - k <= 1\n");
  const Outcome outcome = folder_.salvo("fit held.yaml --method scalar");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.err, "method scalar does not handle constraints")) << outcome.err;
}

TEST_F(FitCommand, EveryMethodFitsAndIsNamedInTheResult) {
  for (const std::string method : {"scalar", "gauss-newton", "lagrangian"}) {
    const Outcome outcome = folder_.salvo("fit decay.yaml --json --method " + method);
    EXPECT_EQ(outcome.code, 0) << method << outcome.err;
    EXPECT_TRUE(says(outcome.out, "\"method\": \"" + method + "\""));
  }
}

// The Brusselator, which oscillates for b > 1 + a^2.
TEST_F(FitCommand, SaysWhichStateDoesNotComeToRest) {
  folder_.write("rest.yaml",
                "equations: {inert: 1 - inert, x: 'a - (b + 1)*x + x^2*y', y: 'b*x - x^2*y'}\n"
                "initial: {inert: 0, x: 1, y: 1}\n"
                "parameters: {a: 1, b: {guess: 3, bounds: [2.5, 4]}}\n"
                "observables: {seen: {formula: x, noise: 0.1}}\n"
                "experiments: {rested: {equilibrate: {}}}\n"
                "data: rest.csv\n");
  folder_.write("rest.csv", "time,seen\n1,1\n2,2\n3,1\n");
  const Outcome outcome = folder_.salvo("fit rest.yaml");
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  EXPECT_TRUE(std::regex_search(
      outcome.out, std::regex("experiment\\s'rested'\\sthere\\sis\\sno\\ssteady\\sstate:\\s[xy]\\sstill\\smoves")))
      << outcome.out;
}

}  // namespace
}  // namespace salvo::test
