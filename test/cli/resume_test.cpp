#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <regex>
#include <string>

#include "cli/program.hpp"

// Runs of many tasks that were cut off: however far they came, --resume repeats nothing and ends with the same bytes.
namespace salvo::test {
namespace {

namespace fs = std::filesystem;

class Resume : public testing::Test {
 protected:
  Resume() {
    write_data("0.59");
    folder_.write("p.yaml",
                  "equations: {x: -k*x, y: k*x - m*y}\ninitial: {x: 1, y: 0}\n"
                  "parameters: {k: {guess: 1, bounds: [0.01, 10], scale: log10}, m: {guess: 0.1, bounds: [0.01, 10], "
                  "scale: log10}}\nobservables: {seen: {formula: y, noise: 0.02}}\ndata: data.csv\n");
  }
  void write_data(const std::string& first) const {
    folder_.write("data.csv", "time,seen\n0.5," + first + "\n1,0.33\n2,0.36\n3,0.28\n5,0.15\n8,0.06\n");
  }
  std::vector<std::string> journals(const std::string& out) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path() / out))
      if (const std::string name = entry.path().filename().string(); name.starts_with("journal."))
        names.push_back(name);
    return names;
  }
  std::string journal(const std::string& out) const { return folder_.read(out + "/" + journals(out).at(0)); }
  // Without the times that it took.
  std::string result(const std::string& name) const {
    return std::regex_replace(folder_.read(name), std::regex("\"seconds\": ?[-+.e0-9]+"), "\"seconds\": 0");
  }
  // A folder in which a run has left this journal and nothing else.
  void leave(const std::string& out, const std::string& text) const {
    fs::remove_all(folder_.path() / out);
    fs::create_directories(folder_.path() / out);
    folder_.write(out + "/journal.a.1.jsonl", text);
  }
  void expect_same_after(const std::string& command, const std::string& text, const std::string& file) const {
    leave("torn", text);
    const Outcome resumed = folder_.salvo(command + " --out torn --resume --quiet");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(result("torn/" + file), result("whole/" + file));
  }
  static std::vector<std::size_t> ends_of_lines(const std::string& text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ends.push_back(at + 1);
    return ends;
  }
  // After every line, and in the middle of every line.
  void expect_same_however_torn(const std::string& command, const std::string& file) const {
    ASSERT_EQ(folder_.salvo(command + " --out whole --quiet").code, 0);
    const std::string whole = journal("whole");
    std::size_t before = 0;
    for (const std::size_t end : ends_of_lines(whole)) {
      expect_same_after(command, whole.substr(0, (before + end) / 2), file);
      expect_same_after(command, whole.substr(0, end), file);
      before = end;
    }
  }
  Folder folder_;
};

TEST_F(Resume, OfStartsEndsWithTheSameBytes) {
  expect_same_however_torn("fit p.yaml --starts 5 --threads 1", "fit.json");
}

TEST_F(Resume, OfAStudyEndsWithTheSameBytes) {
  expect_same_however_torn("study p.yaml --replicates 12 --threads 1", "study.json");
}

TEST_F(Resume, OfProfilesEndsWithTheSameBytes) {
  expect_same_however_torn("profile p.yaml --threads 1", "profiles.csv");
}

TEST_F(Resume, OfAFitWithProfilesEndsWithTheSameBytes) {
  ASSERT_EQ(folder_.salvo("fit p.yaml --starts 3 --profiles --out whole --quiet --threads 1").code, 0);
  const std::string whole = journal("whole");
  const std::vector<std::size_t> ends = ends_of_lines(whole);
  for (const std::size_t end : {ends[1], ends[3], ends[5], ends[ends.size() - 3]})
    expect_same_after("fit p.yaml --starts 3 --profiles", whole.substr(0, end), "fit.json");
}

// A torn line costs that line: all others are taken as they are.
TEST_F(Resume, RepeatsNothing) {
  ASSERT_EQ(folder_.salvo("study p.yaml --replicates 20 --threads 1 --out whole --quiet").code, 0);
  const std::string whole = journal("whole");
  leave("torn", whole.substr(0, ends_of_lines(whole)[16]));
  ASSERT_EQ(folder_.salvo("study p.yaml --replicates 20 --out torn --quiet --resume").code, 0);
  const std::vector<std::string> names = journals("torn");
  ASSERT_EQ(names.size(), 2U);
  const std::string other = folder_.read("torn/" + (names[0] == "journal.a.1.jsonl" ? names[1] : names[0]));
  EXPECT_EQ(ends_of_lines(other).size(), 1U + 1U + 5U + 1U)
      << "a header, the list, what was missing, and that it is written";
}

TEST_F(Resume, ExtendsARun) {
  for (const auto& [command, few, many, file] : {std::tuple{"fit p.yaml --starts ", "4", "7", "fit.json"},
                                                 std::tuple{"study p.yaml --replicates ", "5", "9", "study.json"}}) {
    ASSERT_EQ(folder_.salvo(std::string(command) + many + " --out whole --quiet").code, 0);
    fs::remove_all(folder_.path() / "more");
    ASSERT_EQ(folder_.salvo(std::string(command) + few + " --out more --quiet").code, 0);
    const std::string first = result(std::string("more/") + file);
    ASSERT_EQ(folder_.salvo(std::string(command) + many + " --out more --quiet --resume").code, 0);
    EXPECT_EQ(result(std::string("more/") + file), result(std::string("whole/") + file));
    ASSERT_EQ(folder_.salvo(std::string(command) + few + " --out more --quiet --resume").code, 0);
    EXPECT_EQ(result(std::string("more/") + file), first) << "and back";
  }
}

TEST_F(Resume, OfAnotherRunIsRefusedAndNothingIsLost) {
  ASSERT_EQ(folder_.salvo("fit p.yaml --starts 3 --out run --quiet").code, 0);
  const std::string before = journal("run"), fit = folder_.read("run/fit.json");
  const auto refused = [&](const std::string& command, const std::string& why) {
    const Outcome outcome = folder_.salvo(command);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
    EXPECT_EQ(journal("run"), before);
    EXPECT_EQ(folder_.read("run/fit.json"), fit);
  };
  refused("fit p.yaml --starts 3 --out run --resume --seed 2", "--seed was 1 and is 2");
  refused("fit p.yaml --starts 3 --out run --resume --fix m=0.5", "--fix was not stated and is m=0.5");
  write_data("0.58");
  refused("fit p.yaml --starts 3 --out run --resume", "'data.csv' has changed");
}

TEST_F(Resume, IsNeededWhereARunWasCutOff) {
  ASSERT_EQ(folder_.salvo("fit p.yaml --starts 3 --out whole --quiet --threads 1").code, 0);
  const std::string whole = journal("whole");
  leave("torn", whole.substr(0, ends_of_lines(whole)[3]));
  for (const char* command : {"fit p.yaml --starts 3", "fit p.yaml --starts 5 --seed 4", "fit p.yaml", "profile p.yaml",
                              "study p.yaml --replicates 2"}) {
    const Outcome outcome = folder_.salvo(std::string(command) + " --out torn");
    EXPECT_EQ(outcome.code, 1) << command;
    EXPECT_NE(outcome.err.find("2 tasks are finished there"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("--resume"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(folder_.read("torn/journal.a.1.jsonl"), whole.substr(0, ends_of_lines(whole)[3]));
  EXPECT_EQ(folder_.salvo("fit p.yaml --starts 3 --out torn --resume --quiet").code, 0);
}

// What has been told is replaced as ever.
TEST_F(Resume, IsNotNeededAfterARunThatHasWrittenItsResults) {
  EXPECT_EQ(folder_.salvo("fit p.yaml --starts 3 --out run --quiet").code, 0);
  EXPECT_EQ(folder_.salvo("fit p.yaml --starts 4 --seed 3 --out run --quiet").code, 0);
  EXPECT_EQ(journals("run").size(), 1U);
  EXPECT_EQ(folder_.salvo("profile p.yaml --from run --out run --quiet --resume").code, 0);
  EXPECT_EQ(folder_.salvo("fit p.yaml --out run --quiet").code, 0);
  EXPECT_TRUE(journals("run").empty());
}

TEST_F(Resume, BeginsWhereThereIsNothing) {
  EXPECT_EQ(folder_.salvo("fit p.yaml --starts 3 --out run --quiet --resume").code, 0);
  const Outcome without = folder_.salvo("study p.yaml --replicates 3 --resume");
  EXPECT_EQ(without.code, 1);
  EXPECT_NE(without.err.find("--out"), std::string::npos) << without.err;
}

TEST_F(Resume, LeavesFilesOfTheUserAlone) {
  fs::create_directories(folder_.path() / "run");
  folder_.write("run/journal.of.mine.jsonl", "dear diary\n");
  EXPECT_EQ(folder_.salvo("fit p.yaml --starts 3 --out run --quiet").code, 0);
  EXPECT_EQ(folder_.salvo("fit p.yaml --starts 3 --out run --quiet").code, 0);
  EXPECT_EQ(folder_.read("run/journal.of.mine.jsonl"), "dear diary\n");
}

// One fit that takes some seconds, since its method takes hundreds of iterations, is killed as soon as its state is
// there.
class ResumeOfOneFit : public Resume {
 protected:
  ResumeOfOneFit() {
    folder_.write("long.yaml",
                  "equations: {x: s*(y - x), y: x*(r - z) - y, z: x*y - b*z}\n"
                  "initial: {x: {guess: 5}, y: {guess: 5}, z: {guess: 20}}\n"
                  "parameters: {s: {guess: 8}, r: {guess: 24}, b: {guess: 2.2}}\n"
                  "observables: {u: {formula: x, noise: 0.4}}\ndata: long.csv\n");
    std::string table = "time,u\n";
    for (int n = 1; n <= 120; ++n)
      table += std::to_string(0.05 * n) + "," + std::to_string(8 * std::sin(0.4 * n) + 3 * std::sin(1.1 * n)) + "\n";
    folder_.write("long.csv", table);
  }
  static constexpr const char* fit = "fit long.yaml --method scalar --quiet ";
  // A run in the folder `torn`, sent a signal as soon as it has written such a file.
  Outcome sent(const std::string& signal, const std::string& run, const std::string& file) const {
    return folder_.salvo(run + " --out torn & for i in $(seq 1200); do find torn -newer .begun -name '" + file +
                             "' 2>/dev/null | grep -q . && break; sleep 0.05; done; kill -" + signal + " $!; wait $!",
                         "touch .begun;");
  }
  Outcome killed(const std::string& out) const {
    return folder_.salvo(std::string(fit) + "--out " + out + " & for i in $(seq 600); do [ -e " + out +
                         "/state.2.jsonl ] && break; sleep 0.05; done; kill -KILL $!; wait $!");
  }
};

TEST_F(ResumeOfOneFit, EndsWithTheSameBytes) {
  const int code = folder_.salvo(std::string(fit) + "--out whole").code;
  killed("torn");
  ASSERT_TRUE(folder_.has("torn/state.2.jsonl"));
  ASSERT_FALSE(folder_.has("torn/fit.json")) << "it was killed before its end";
  const Outcome another = folder_.salvo(std::string(fit) + "--out torn --resume --fix b=2");
  EXPECT_EQ(another.code, 1);
  EXPECT_NE(another.err.find("--fix was not stated and is b=2"), std::string::npos) << another.err;
  for (const char* signal : {"TERM", "USR1", "XCPU"}) {
    fs::remove_all(folder_.path() / "torn");  // what is left of the fit may take less than it takes to keep a state
    const Outcome stopped = sent(signal, std::string(fit) + "--resume", "state.*.jsonl");
    EXPECT_EQ(stopped.code, 75) << signal << stopped.err;
    EXPECT_TRUE(folder_.has("torn/state.1.jsonl") || folder_.has("torn/state.2.jsonl")) << signal;
  }
  const Outcome resumed = folder_.salvo(std::string(fit) + "--out torn --resume");
  EXPECT_EQ(resumed.code, code) << resumed.err;
  EXPECT_EQ(result("torn/fit.json"), result("whole/fit.json"));
  EXPECT_FALSE(folder_.has("torn/state.1.jsonl") || folder_.has("torn/state.2.jsonl"));
}

// Whatever runs, the signals of schedulers end it.
TEST_F(ResumeOfOneFit, AsOfManyTasksEndsWithTheCodeThatAsksSchedulersToComeAgain) {
  for (const char* run :
       {"fit p.yaml --starts 100000", "study p.yaml --replicates 1000000", "profile long.yaml --method scalar"})
    for (const char* signal : {"TERM", "USR1", "XCPU"}) {
      fs::remove_all(folder_.path() / "torn");
      const Outcome stopped = sent(signal, std::string(run) + " --quiet", "*.jsonl");
      EXPECT_EQ(stopped.code, 75) << run << signal << stopped.err;
      for (const std::string& name : journals("torn")) EXPECT_TRUE(folder_.read("torn/" + name).ends_with("\n"));
    }
}

TEST_F(Resume, OnAnotherNumberOfCellsIsRefused) {
  folder_.write("rod.yaml",
                "space: {x: {from: 0, to: 1, cells: 64}}\nfields: {u: D*dxx(u)}\n"
                "boundary: {u: {left: {value: 0}, right: {value: 0}}}\ninitial: {u: sin(pi*x)}\n"
                "parameters: {D: {guess: 0.3, bounds: [0.01, 2]}}\nobservables: {seen: {formula: u, noise: 0.01}}\n"
                "data: rod.csv\n");
  folder_.write("rod.csv", "time,x,seen\n0.5,0.5,0.61\n1,0.5,0.37\n1,0.13,0.15\n");
  const std::string fit = "fit rod.yaml --starts 2 --accept-grid-error --out run --quiet --cells ";
  ASSERT_EQ(folder_.salvo(fit + "16").code, 0);
  const Outcome other = folder_.salvo(fit + "24 --resume");
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("--cells was 16 and is 24"), std::string::npos) << other.err;
  EXPECT_EQ(folder_.salvo(fit + "16 --resume").code, 0);
}

// A limit to the size of files is told like a full disk; what was finished before it is kept.
TEST_F(Resume, GoesOnAfterTheDiskWasFull) {
  ASSERT_EQ(folder_.salvo("study p.yaml --replicates 200 --out whole --quiet").code, 0);
  const Outcome full = folder_.salvo("study p.yaml --replicates 200 --out torn --quiet", "ulimit -f 16;");
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("cannot write 'torn/journal."), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("what was finished before is kept there"), std::string::npos) << full.err;
  EXPECT_GT(ends_of_lines(journal("torn")).size(), 10U);
  EXPECT_EQ(folder_.salvo("study p.yaml --replicates 200 --out torn --quiet --resume").code, 0);
  EXPECT_EQ(result("torn/study.json"), result("whole/study.json"));
}

// Hours of work that nobody could find again are not done.
TEST_F(Resume, EndsWhereItsFolderIsRemoved) {
  const Outcome lost = folder_.salvo("study p.yaml --replicates 1000000 --out gone --quiet", "(sleep 2; rm -r gone) &");
  EXPECT_EQ(lost.code, 1);
  EXPECT_NE(lost.err.find("the file was removed"), std::string::npos) << lost.err;
}

TEST_F(Resume, IsRefusedWhileAnotherProcessIsAtWork) {
  ASSERT_EQ(folder_.salvo("fit p.yaml --starts 3 --out run --quiet").code, 0);
  const std::string name = journals("run").at(0);
  const Outcome locked =
      folder_.salvo("fit p.yaml --starts 4 --out run --resume", "exec 9<run/" + name + "; flock -x 9;");
  EXPECT_EQ(locked.code, 1) << locked.err;
  EXPECT_NE(locked.err.find("is in use"), std::string::npos) << locked.err;
  EXPECT_NE(locked.err.find("salvo work run"), std::string::npos) << locked.err;
}

}  // namespace
}  // namespace salvo::test
