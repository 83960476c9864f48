#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "cli/program.hpp"

// Runs that several processes share, as a scheduler starts and stops them.
namespace salvo::test {
namespace {

class Work : public testing::Test {
 protected:
  Work() {
    write_decay(folder_);
    // So many take a while, on any machine.
    EXPECT_EQ(folder_.salvo("study decay.yaml --replicates 1000000 --out long --prepare --quiet").code, 0);
  }
  std::string result(const std::string& name) const {
    return std::regex_replace(folder_.read(name), std::regex("\"seconds\": ?[-+.e0-9]+"), "\"seconds\": 0");
  }
  // Sent a signal as soon as it has finished a few tasks.
  Outcome stopped_by(const std::string& signal) const {
    return folder_.salvo(
        "work long --quiet & for i in $(seq 1200); do [ \"$(cat long/journal.*.$!.jsonl 2>/dev/null | wc -l)\" -gt 3 ] "
        "&& "
        "break; sleep 0.05; done; kill -" +
        signal + " $!; wait $!");
  }
  Folder folder_;
};

TEST_F(Work, EndsWithTheBytesOfOneProcess) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml --starts 9 --out whole --quiet").code, 0);
  ASSERT_EQ(folder_.salvo("fit decay.yaml --starts 9 --out run --prepare").code, 0);
  EXPECT_FALSE(folder_.has("run/fit.json"));
  const Outcome worked = folder_.salvo("work run --share 2/3 --threads 1");
  EXPECT_EQ(worked.code, 0) << worked.err;
  EXPECT_NE(worked.err.find("9 tasks done here; nothing is left"), std::string::npos) << worked.err;
  const Outcome gathered = folder_.salvo("gather run --json");
  EXPECT_EQ(gathered.code, 0) << gathered.err;
  EXPECT_EQ(result("run/fit.json"), result("whole/fit.json"));
  EXPECT_EQ(nlohmann::json::parse(gathered.out)["status"], "converged");
}

TEST_F(Work, ComesAgainAfterAScheduler) {
  for (const char* signal : {"TERM", "USR1", "XCPU"}) {
    const Outcome stopped = stopped_by(signal);
    EXPECT_EQ(stopped.code, 75) << signal << stopped.err;
  }
  const nlohmann::json status = nlohmann::json::parse(folder_.salvo("status long --json").out);
  EXPECT_GT(status["lists"][0]["done"].get<int>(), 0);
  EXPECT_LT(status["lists"][0]["done"].get<int>(), 1000000);
  EXPECT_FALSE(status["done"].get<bool>());
  EXPECT_EQ(status["processes"], 0);
}

TEST_F(Work, ComesAgainAfterItsTime) {
  const Outcome stopped = folder_.salvo("work long --max-time 0.2s");
  EXPECT_EQ(stopped.code, 75) << stopped.err;
  EXPECT_NE(stopped.err.find("there is more to do"), std::string::npos) << stopped.err;
}

TEST_F(Work, StopsByHandAsOtherCommandsDo) { EXPECT_EQ(stopped_by("HUP").code, 130); }

TEST_F(Work, TellsHowFarARunIs) {
  const Outcome before = folder_.salvo("status long");
  EXPECT_EQ(before.code, 0);
  EXPECT_NE(before.out.find("0 of 1000000 finished"), std::string::npos) << before.out;
  EXPECT_EQ(before.out.find("at work"), std::string::npos) << before.out;
  EXPECT_EQ(folder_.salvo("status nothing").code, 1);
}

TEST_F(Work, SaysWhatIsWrongWithItsOptions) {
  for (const char* wrong : {"--share 3/3", "--share 1", "--share -1/2", "--task x", "--max-time 3x", "--threads -1"}) {
    const Outcome refused = folder_.salvo(std::string("work long ") + wrong);
    EXPECT_EQ(refused.code, 1) << wrong;
    EXPECT_NE(refused.err.find(std::string(wrong).substr(0, 6)), std::string::npos) << refused.err;
  }
  EXPECT_EQ(folder_.salvo("fit decay.yaml --prepare").code, 1) << "one fit has nothing to share";
  EXPECT_EQ(folder_.salvo("study decay.yaml --prepare").code, 1) << "without a folder";
}

// The folder is one that nobody may write: the results are refused before hours of work, and nothing is lost.
TEST_F(Work, NeedsAFolderThatCanBeWritten) {
  folder_.write("file", "");
  const Outcome refused = folder_.salvo("fit decay.yaml --starts 3 --out file/run");
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("is not a folder"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace salvo::test
