#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

bool tells(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

class Command : public testing::Test {
 protected:
  Command() { write_decay(folder_); }
  Folder folder_;
};

TEST_F(Command, EvaluateFindsNoResidualAtTheTruth) {
  folder_.write("truth.tsv", "parameterId\tvalue\nk\t0.5\n");
  const Outcome outcome = folder_.salvo("evaluate decay.yaml --parameters truth.tsv --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::size_t at = outcome.out.find("\"chi2\":");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NEAR(std::stod(outcome.out.substr(at + 7)), 0, 1e-8);  // the data are exact
}

TEST_F(Command, EvaluateTellsTimesInJson) {
  const Outcome once = folder_.salvo("evaluate decay.yaml --json");
  EXPECT_TRUE(tells(once.out, "\"seconds\": {\"values\":")) << once.out;
  EXPECT_FALSE(tells(once.out, "\"jacobian\""));
  const Outcome often = folder_.salvo("evaluate decay.yaml --json --repeat 3");
  EXPECT_EQ(often.code, 0) << often.err;
  EXPECT_TRUE(tells(often.out, "\"jacobian\":"));
  EXPECT_EQ(folder_.salvo("evaluate decay.yaml --repeat 0").code, 1);
}

TEST_F(Command, EvaluateGivesTheJacobianOfPredictionsInJson) {
  const Outcome outcome = folder_.salvo("evaluate decay.yaml --parameters k=0.5 --jacobian --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(tells(outcome.out, "\"jacobian_columns\": [\"k\"]")) << outcome.out;
  const Outcome without = folder_.salvo("evaluate decay.yaml --jacobian");
  EXPECT_EQ(without.code, 1);
  EXPECT_TRUE(tells(without.err, "--jacobian needs --json")) << without.err;
}

TEST_F(Command, CheckAndSimulateSpeakJsonToo) {
  const Outcome sound = folder_.salvo("check decay.yaml --json");
  EXPECT_EQ(sound.code, 0) << sound.err;
  EXPECT_TRUE(tells(sound.out, "\"status\": \"sound\"")) << sound.out;
  EXPECT_TRUE(tells(sound.out, "{\"level\":\"good\",\"text\":\"1 state")) << sound.out;
  const Outcome simulated = folder_.salvo("simulate decay.yaml --at 0 --json");
  EXPECT_EQ(simulated.code, 0) << simulated.err;
  EXPECT_TRUE(tells(simulated.out, "{\"id\":\"default\",\"time\":[0.0],\"states\":{\"x\":[1.0]}")) << simulated.out;
  for (const char* command : {"check", "simulate"}) {
    const Outcome wrong = folder_.salvo(std::string(command) + " nothing.yaml --json");
    EXPECT_EQ(wrong.code, 1);
    EXPECT_TRUE(tells(wrong.out, "\"status\": \"usage\"")) << wrong.out;
  }
}

TEST_F(Command, EvenASurprisingRemarkOfAFitIsToldOnce) {
  std::string yaml = folder_.read("decay.yaml");
  yaml.replace(yaml.find("noise: "), 7, "label: ");
  folder_.write("loose.yaml", yaml);
  const Outcome outcome = folder_.salvo("fit loose.yaml --max-iterations 3");
  EXPECT_FALSE(tells(outcome.err, "estimated")) << outcome.err;
  EXPECT_TRUE(tells(outcome.out, "estimated.")) << outcome.out;
}

TEST_F(Command, ValuesMayStandOnTheCommandLine) {
  const Outcome outcome = folder_.salvo("evaluate decay.yaml --parameters k=0.5 --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(std::stod(outcome.out.substr(outcome.out.find("\"chi2\":") + 7)), 0, 1e-8);
  const Outcome simulated = folder_.salvo("simulate decay.yaml --parameters k=0.5 --at 2");
  EXPECT_EQ(simulated.code, 0) << simulated.err;
  EXPECT_NEAR(std::stod(simulated.out.substr(simulated.out.find("default,2,") + 10)), std::exp(-1.0), 1e-6);
  const Outcome unknown = folder_.salvo("evaluate decay.yaml --parameters speed=1");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(tells(unknown.err, "--parameters: the problem has no parameter or initial value 'speed'")) << unknown.err;
  EXPECT_EQ(folder_.salvo("evaluate decay.yaml --parameters k=fast").code, 1);
}

TEST_F(Command, AStudyFromAFinishedFitTakesItsEstimatesForTheTruth) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml --quiet").code, 0);
  const Outcome outcome = folder_.salvo("study decay.yaml --from decay.fit --replicates 2 --json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::size_t truth = outcome.out.find("\"truth\":");
  ASSERT_NE(truth, std::string::npos);
  EXPECT_NEAR(std::stod(outcome.out.substr(outcome.out.find("\"k\":", truth) + 4)), 0.5, 1e-6) << outcome.out;
}

TEST_F(Command, EvaluateRefusesATableWithAStranger) {
  folder_.write("strange.tsv", "parameterId\tvalue\nspeed\t0.5\n");
  const Outcome outcome = folder_.salvo("evaluate decay.yaml --parameters strange.tsv");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.err, "speed"));
}

TEST_F(Command, SimulateFollowsTheClosedForm) {
  const Outcome outcome = folder_.salvo("simulate decay.yaml --at 0,2");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::size_t row = outcome.out.find("default,2,");
  ASSERT_NE(row, std::string::npos) << outcome.out;
  EXPECT_NEAR(std::stod(outcome.out.substr(row + 10)), std::exp(-2.0), 1e-6);  // k = 1, the guess
}

TEST_F(Command, SimulateRefusesTimesBeforeTheStart) {
  for (const char* early : {"--at -1,2", "--until -1"}) {
    const Outcome outcome = folder_.salvo(std::string("simulate decay.yaml ") + early);
    EXPECT_EQ(outcome.code, 1) << early;
    EXPECT_NE(outcome.err.find("the time -1 is before the start of the integration, 0"), std::string::npos)
        << outcome.err;
  }
}

TEST_F(Command, SimulateWritesWhatWasReachedBeforeAPole) {
  folder_.write("pole.yaml",
                "equations:\n  x: x^2\ninitial:\n  x: 1\nparameters:\n  k: {guess: 1}\n"
                "observables:\n  seen: {formula: k*x, noise: 1}\ndata: pole.csv\n");
  folder_.write("pole.csv", "time,seen\n0.5,2\n");
  const Outcome outcome = folder_.salvo("simulate pole.yaml --at 0.25,0.5,2");  // x = 1 / (1 - t)
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(tells(outcome.out, "default,0.5,"));
  EXPECT_FALSE(tells(outcome.out, "default,2,"));
  EXPECT_FALSE(outcome.err.empty());
}

TEST_F(Command, ParametersAndFromExcludeEachOther) {
  EXPECT_EQ(folder_.salvo("simulate decay.yaml --from decay.fit --parameters truth.tsv").code, 1);
}

TEST_F(Command, StudyCountsItsReplicates) {
  const Outcome outcome = folder_.salvo("study decay.yaml --truth k=0.5 --replicates 5 --json --out results");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(tells(outcome.out, "\"replicates\": 5"));
  EXPECT_EQ(outcome.out, folder_.read("results/study.json"));
  EXPECT_TRUE(says(folder_.read("results/summary.txt"), "replicates converged"));
}

TEST_F(Command, AnInterruptedStudyWritesWhatItReached) {
  for (const char* signal : {"INT", "HUP"}) {
    const Outcome outcome = folder_.salvo_interrupted("study decay.yaml --replicates 1000000 --json --verbose", signal);
    EXPECT_EQ(outcome.code, 130) << signal << outcome.err;
    EXPECT_TRUE(tells(outcome.out, "\"replicates\"")) << signal;
  }
}

TEST_F(Command, CheckSaysThatASoundProblemIsSound) {
  const Outcome outcome = folder_.salvo("check decay.yaml");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(tells(outcome.out, "The problem is sound."));
}

TEST_F(Command, WhatNewWritesCanBeFitted) {
  const Outcome outcome = folder_.salvo("new fresh");
  ASSERT_EQ(outcome.code, 0);
  EXPECT_TRUE(tells(outcome.out, "salvo fit fresh/fresh.yaml"));
  EXPECT_EQ(folder_.salvo("fit fresh/fresh.yaml").code, 0);
}

TEST_F(Command, NewDoesNotOverwrite) {
  ASSERT_EQ(folder_.salvo("new fresh").code, 0);
  folder_.write("fresh/fresh.yaml", "mine");
  EXPECT_EQ(folder_.salvo("new fresh").code, 1);
  EXPECT_EQ(folder_.read("fresh/fresh.yaml"), "mine");
}

TEST_F(Command, NewLeavesNothingWhereItCannotWriteAll) {
  const Outcome outcome = folder_.salvo("new fresh", "ulimit -f 1;");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.err, "File too large")) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(tells(entry.path().filename(), "fresh")) << entry.path();
}

TEST_F(Command, AFullDiskIsSaidAndEndsWithOne) {
  const Outcome outcome = folder_.salvo("simulate decay.yaml >/dev/full");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.err, "standard output cannot be written"));
}

TEST_F(Command, HelpIsSaidToBeUnwritableToo) {
  EXPECT_EQ(folder_.salvo("fit --help >/dev/full").code, 1);
  EXPECT_EQ(folder_.salvo("--version >/dev/full").code, 1);
}

TEST_F(Command, AFitThatCannotBeWrittenIsStillTold) {
  std::filesystem::create_directories(folder_.path() / "decay.fit/estimates.tsv/in the way");
  const Outcome outcome = folder_.salvo("fit decay.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.out, "Converged")) << outcome.out;
  EXPECT_FALSE(tells(outcome.out, "Results:")) << outcome.out;
  EXPECT_TRUE(tells(outcome.err, "cannot write 'decay.fit/estimates.tsv'")) << outcome.err;
}

TEST_F(Command, AFileThatGrowsBeyondItsLimitIsToldAndLeavesTheOldFolder) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml").code, 0);
  const std::string before = folder_.read("decay.fit/fit.json");
  const Outcome outcome = folder_.salvo("fit decay.yaml --fix k=0.6", "ulimit -f 20;");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.err, "cannot write 'decay.fit/")) << outcome.err;
  EXPECT_TRUE(tells(outcome.err, "File too large")) << outcome.err;
  EXPECT_EQ(folder_.read("decay.fit/fit.json"), before);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(tells(entry.path().filename(), ".salvo-")) << entry.path();
}

TEST_F(Command, ExhaustedMemoryIsToldInWords) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more addresses than the limit allows before the program begins";
#endif
  folder_.write("large.yaml",
                "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
                "observables: {seen: {formula: x, noise: 0.01}}\ndata: large.csv\n");
  std::string data = "time,seen\n";
  for (int n = 0; n < 1'000'000; ++n) data += "1,0.6065306597126334\n";
  folder_.write("large.csv", data);
  const Outcome outcome = folder_.salvo("evaluate large.yaml", "ulimit -v 60000;");
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_TRUE(tells(outcome.err, "the memory is exhausted")) << outcome.err;
}

TEST_F(Command, NewRefusesANameThatLooksLikeAnOption) {
  const Outcome outcome = folder_.salvo("new -- -x");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.err, "cannot be the name of a new problem")) << outcome.err;
  EXPECT_FALSE(folder_.has("-x"));
}

TEST_F(Command, OneMeasurementIsNotSeveral) {
  folder_.write("decay.csv", "time,seen\n1,0.6\n");
  const Outcome outcome = folder_.salvo("evaluate decay.yaml");
  EXPECT_TRUE(tells(outcome.out, ", 1 measurement\n")) << outcome.out;
}

TEST_F(Command, NamesOfFilesDoNotReachTheTerminalAsControlCharacters) {
  const Outcome outcome = folder_.salvo("check \"$(printf '\\033[31mred.yaml')\"");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_FALSE(tells(outcome.err, "\033")) << outcome.err;
  EXPECT_TRUE(tells(outcome.err, "[31mred.yaml")) << outcome.err;
}

// One evaluation takes seconds, and a note is told before the first.
TEST_F(Command, AFitThatIsToldToStopWritesWhatItReachedAndLeavesNothingBeside) {
  folder_.write("slow.yaml",
                "equations: {x: -k*x + y, y: -1000*(y - cos(t))}\ninitial: {x: 1, y: 1}\n"
                "parameters: {k: {guess: 1}}\nobservables: {seen: {formula: x}}\ndata: slow.csv\n"
                "integrator: {name: rk4, step: 1.1e-5}\n");
  std::string data = "time,seen\n";
  for (int t = 1; t <= 300; ++t) data += std::to_string(t) + ",0.5\n";
  folder_.write("slow.csv", data);
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    const Outcome outcome = folder_.salvo_interrupted("fit slow.yaml --verbose", signal);
    EXPECT_EQ(outcome.code, signal == std::string("TERM") ? 75 : 130) << signal << outcome.err;
    EXPECT_TRUE(tells(folder_.read("slow.fit/fit.json"), "\"interrupted\"")) << signal;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(tells(entry.path().filename(), ".salvo-")) << entry.path();
}

TEST_F(Command, NotesAreBrokenBetweenWordsAtEightyColumns) {
  EXPECT_FALSE(tells(folder_.salvo("fit decay.yaml").err, "method")) << "details are for those who ask";
  const Outcome outcome = folder_.salvo("fit decay.yaml --verbose");
  EXPECT_TRUE(tells(outcome.err, "note: method")) << outcome.err;
  std::istringstream lines(outcome.err);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  const std::string after_note = outcome.err.substr(outcome.err.find("note: method"));
  EXPECT_EQ(after_note.substr(after_note.find('\n') + 1, 6), "      ") << "the rest of a note is indented";
}

TEST_F(Command, ReportWritesThePageOfAFitAgain) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml --seed 7 --out 'my fit'").code, 0);
  const std::string page = folder_.read("my fit/report.html");
  EXPECT_TRUE(tells(page, "salvo fit decay.yaml --seed 7 --out 'my fit'")) << "the command is not on the page";
  std::filesystem::remove(folder_.path() / "my fit/report.html");
  const Outcome outcome = folder_.salvo("report 'my fit'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(folder_.read("my fit/report.html"), page);
}

TEST_F(Command, ReportRefusesAFolderThatNoFitWrote) {
  const Outcome nowhere = folder_.salvo("report nowhere");
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_TRUE(tells(nowhere.err, "nowhere: there is no such folder")) << nowhere.err;
  const Outcome outcome = folder_.salvo("report .");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(tells(outcome.err, "fit.json")) << outcome.err;
  EXPECT_TRUE(tells(outcome.err, "name the folder that `salvo fit` wrote")) << outcome.err;
}

}  // namespace
}  // namespace salvo::test
