#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

// Files and arguments that once ended the program, or led it astray: each is refused in words, and no signal ends it.
namespace salvo::test {
namespace {

namespace fs = std::filesystem;

class HostileInput : public testing::Test {
 protected:
  // The decay of x, with these data and this at the end of the problem file.
  void write(const std::string& data, const std::string& more = {}, const std::string& equation = "-k*x") const {
    folder_.write("p.yaml", "equations: {x: \"" + equation +
                                "\"}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 1}}\n"
                                "observables: {seen: {formula: x, noise: 0.05}}\ndata: d.csv\n" +
                                more);
    folder_.write("d.csv", data);
  }
  static bool tells(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }
  static bool is_no_signal(const Outcome& outcome) { return outcome.code >= 0 && outcome.code <= 4; }

  Folder folder_;
  std::string good_data = "time,seen\n0.5,0.8\n1,0.58\n2,0.38\n3,0.24\n";
};

TEST_F(HostileInput, TimesThatCannotBeComputedWithAreRefused) {
  for (const char* time : {"1e306", "1.5e308"}) {
    write(std::string("time,seen\n0.5,0.8\n1,0.58\n") + time + ",0.38\n", "", "piecewise(-k*x, t < 1e306, -k)");
    for (const char* command : {"fit --quiet", "simulate", "evaluate", "check"}) {
      const Outcome outcome = folder_.salvo(std::string(command) + " p.yaml");
      EXPECT_EQ(outcome.code, 2) << command << outcome.err;
      EXPECT_TRUE(tells(outcome.err, "d.csv:4:1: the time " + std::string(time) + " is too far from zero"))
          << outcome.err;
      EXPECT_TRUE(tells(outcome.err, "another unit")) << outcome.err;
    }
  }
  write("time,seen\n5e-324,0.8\n");
  const Outcome outcome = folder_.salvo("fit p.yaml");
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_TRUE(tells(outcome.err, "another unit")) << outcome.err;
  write(good_data);
  EXPECT_EQ(folder_.salvo("simulate p.yaml --until 1e306").code, 1);
  EXPECT_EQ(folder_.salvo("simulate p.yaml --at 0,1e306").code, 1);
}

// A switch at a time that no step reaches by adding to it.
TEST_F(HostileInput, SwitchesMayBeFarAway) {
  for (const char* late : {"1e306", "1.7e308"}) {
    write(good_data, std::string("events: [{at: ") + late + ", set: {x: 1}}]\n",
          std::string("piecewise(-k*x, t < ") + late + ", -k*x)");
    EXPECT_EQ(folder_.salvo("fit --quiet p.yaml").code, 0) << late;
  }
}

TEST_F(HostileInput, AResultNestedTwoMillionDeepIsNoResult) {
  write(good_data);
  ASSERT_EQ(folder_.salvo("fit --quiet p.yaml --out r").code, 0);
  constexpr int depth = 2'000'000;
  for (const char* file : {"r/fit.json", "r/pictures.json"}) {
    const std::string before = folder_.read(file);
    folder_.write(
        file,
        "{\"status\":1,\"parameters\":[],\"trace\":[],\"run\":1,\"data\":1,\"film\":1,\"solution\":1,\"covariance\":" +
            std::string(depth, '[') + std::string(depth, ']') + "}");
    const Outcome outcome = folder_.salvo("report r");
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(tells(outcome.err, "this is not the file of a fit")) << outcome.err;
    folder_.write(file, before);
  }
  EXPECT_EQ(folder_.salvo("report r").code, 0);
}

TEST_F(HostileInput, MemoryForLessThanOneStateIsEnough) {
  const std::string robertson = std::string(SALVO_SOURCE_DIR) + "/examples/robertson/robertson.yaml";
  EXPECT_EQ(folder_.salvo("fit " + robertson + " --memory 1e-4 --quiet --out r --max-time 20").code, 0);
}

TEST_F(HostileInput, EvaluationsHeedTheirTime) {
  write(good_data);
  EXPECT_EQ(folder_.salvo("evaluate p.yaml --gradient --max-time 60").code, 0);
  const Outcome late = folder_.salvo("evaluate p.yaml --gradient --max-time 1e-9");
  EXPECT_EQ(late.code, 4) << late.out;
  EXPECT_TRUE(tells(late.out + late.err, "the time ran out: allow more with --max-time")) << late.out << late.err;
  EXPECT_EQ(folder_.salvo("evaluate p.yaml --max-time -1").code, 1);
}

TEST_F(HostileInput, AListOfParametersMayBeLongerThanTheNameOfAFile) {
  std::string parameters;
  std::string words;
  for (int i = 0; i < 100; ++i) {
    parameters += ", k" + std::to_string(i) + ": 1";
    words += (i > 0 ? ",k" : "k") + std::to_string(i) + "=2";
  }
  write(good_data);
  folder_.write("p.yaml", "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}" + parameters +
                              "}\nobservables: {seen: {formula: x, noise: 0.05}}\ndata: d.csv\n");
  const Outcome outcome = folder_.salvo("evaluate p.yaml --parameters " + words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Outcome unknown = folder_.salvo("evaluate p.yaml --from " + std::string(300, 'a'));
  EXPECT_EQ(unknown.code, 1);
  EXPECT_FALSE(tells(unknown.err, "filesystem error")) << unknown.err;
}

// People keep data elsewhere, so they are read; but whoever runs a problem of somebody else shows what it says around.
TEST_F(HostileInput, WhatStandsInFilesOutsideIsNotRepeated) {
  fs::create_directories(folder_.path() / "inside");
  folder_.write("secret.txt", "root:x:0:0:hunter2:/root\nalice:swordfish\n");
  folder_.write("good.csv", good_data);
  for (const char* way : {"../secret.txt", "link.csv"}) {
    folder_.write("inside/p.yaml", std::string("equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
                                               "observables: {seen: {formula: x, noise: 0.05}}\ndata: ") +
                                       way + "\n");
    fs::remove(folder_.path() / "inside/link.csv");
    fs::create_symlink("../secret.txt", folder_.path() / "inside/link.csv");
    for (const char* options : {"", " --json"}) {
      const Outcome outcome = folder_.salvo(std::string("evaluate inside/p.yaml") + options);
      EXPECT_EQ(outcome.code, 2);
      for (const char* secret : {"root", "hunter2", "alice", "swordfish"})
        EXPECT_FALSE(tells(outcome.err + outcome.out, secret)) << outcome.err << outcome.out;
      EXPECT_TRUE(tells(outcome.err + outcome.out, "outside the folder of the problem")) << outcome.err;
    }
  }
  folder_.write("inside/p.yaml",
                "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
                "observables: {seen: {formula: x, noise: 0.05}}\ndata: ../good.csv\n");
  EXPECT_EQ(folder_.salvo("evaluate inside/p.yaml").code, 0);
  folder_.write("inside/p.yaml",
                "equations: {x: -k*x}\ninitial: {x: 1}\nparameters: {k: {guess: 1}}\n"
                "observables: {seen: {formula: x, noise: 0.05}}\ndata: ../secre.txt\n");
  EXPECT_FALSE(tells(folder_.salvo("evaluate inside/p.yaml").err, "secret.txt"))
      << "names beside it are not told either";
}

// --- journals -------------------------------------------------------------------------------------------------------

class HostileJournal : public HostileInput {
 protected:
  HostileJournal() {
    write(good_data);
    EXPECT_EQ(folder_.salvo(profile("whole")).code, 0);
    for (const auto& entry : fs::directory_iterator(folder_.path() / "whole"))
      if (const std::string name = entry.path().filename().string(); name.starts_with("journal."))
        journal_ = folder_.read("whole/" + name);
    fs::create_directories(folder_.path() / "part");
  }
  static std::string profile(const std::string& out) { return "profile p.yaml --quiet --out " + out; }
  void expect_same_after(const std::string& text) const {
    fs::remove_all(folder_.path() / "part");
    fs::create_directories(folder_.path() / "part");
    folder_.write("part/journal.a.1.jsonl", text);
    const Outcome resumed = folder_.salvo(profile("part") + " --resume");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(folder_.read("part/profiles.csv"), folder_.read("whole/profiles.csv"));
  }
  std::string journal_;  // of all sides
};

TEST_F(HostileJournal, IsBelievedLineByLine) {
  ASSERT_EQ(std::count(journal_.begin(), journal_.end(), '\n'), 14) << journal_;
  // a header, the fit, 4 sides, 4 ends, each after the name of its list, written
  expect_same_after(journal_);
  expect_same_after(journal_.substr(0, journal_.size() / 2));  // torn off
  std::string changed = journal_;
  changed[changed.find("0x") + 4] ^= 1;  // one digit
  expect_same_after(changed);
  for (const char* text : {"{}", "{\"task\":\"side.0\",\"index\":0,\"value\":\"\"}\n", "[[[[", "\n\n\n", "null\n"})
    expect_same_after(std::string(text) + journal_.substr(0, journal_.find('\n') + 1));
}

TEST_F(HostileJournal, OfAnotherProblemIsRefused) {
  folder_.write("part/journal.a.1.jsonl", journal_);
  write("time,seen\n0.5,0.7\n1,0.58\n2,0.38\n3,0.24\n");
  const Outcome resumed = folder_.salvo("profile p.yaml --out part --resume");
  EXPECT_EQ(resumed.code, 1) << resumed.err;
  EXPECT_TRUE(tells(resumed.err, "'d.csv' has changed")) << resumed.err;
  EXPECT_EQ(folder_.read("part/journal.a.1.jsonl"), journal_);
}

TEST_F(HostileJournal, IsNeitherALinkNorAPipe) {
  folder_.write("victim", journal_);
  fs::create_symlink("../victim", folder_.path() / "part/journal.a.1.jsonl");
  ASSERT_EQ(mkfifo((folder_.path() / "part/journal.b.1.jsonl").c_str(), 0600), 0);
  EXPECT_EQ(folder_.salvo(profile("part") + " --resume", "timeout -k 1 60").code, 0);
  EXPECT_EQ(folder_.read("victim"), journal_);
}

// A time after which the fit has converged and its profiles have not come to their ends is looked for by halves,
// however fast the machine is.
TEST_F(HostileJournal, ThatIsNotCompleteIsNoSuccess) {
  const std::string twelve_sides = std::string(SALVO_SOURCE_DIR) + "/examples/lotka-volterra/lotka-volterra.yaml";
  double least = 1e-3, most = 60;
  for (int n = 0; n < 60; ++n) {
    const double seconds = std::sqrt(least * most);
    const Outcome outcome = folder_.salvo("profile " + twelve_sides + " --quiet --json --threads 1 --out cut" +
                                          std::to_string(n) + " --max-time " + std::to_string(seconds));
    const nlohmann::json result = nlohmann::json::parse(outcome.out);
    const bool is_converged = result["status"] == "converged";
    const bool is_complete = result["complete"].get<bool>();
    EXPECT_EQ(outcome.code, is_converged && is_complete ? 0 : 4) << outcome.out;
    if (is_converged && !is_complete) return;
    (is_converged ? most : least) = seconds;
    if (most < 1.02 * least) least /= 8, most *= 8;  // the machine has become slower or faster meanwhile
  }
  FAIL() << "no run ended between the fit and the end of its profiles";
}

}  // namespace
}  // namespace salvo::test
