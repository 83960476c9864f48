#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(Usage, WithoutACommandTheHelpIsShownAndTheExitCodeIsOne) {
  const Outcome outcome = Folder().salvo("");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "Usage: salvo"));
  EXPECT_EQ(outcome.out, "");
}

TEST(Usage, TheVersionIsANameAndANumber) {
  const Outcome outcome = Folder().salvo("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.substr(0, 8), "salvo 0.");
}

TEST(Usage, EveryCommandHelpsWithAnExample) {
  for (const std::string command : {"fit", "evaluate", "simulate", "study", "check", "new", "eval-math"}) {
    const Outcome outcome = Folder().salvo(command + " --help");
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_TRUE(mentions(outcome.out, "Example")) << command;
    EXPECT_TRUE(mentions(outcome.out, "  salvo " + command)) << command;
  }
}

TEST(Usage, AMisspeltCommandGetsAHint) {
  const Outcome outcome = Folder().salvo("fti problem.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "unknown command 'fti'"));
  EXPECT_TRUE(mentions(outcome.err, "did you mean 'fit'?"));
}

TEST(Usage, AMisspeltOptionGetsAHint) {
  const Outcome outcome = Folder().salvo("fit --metod scalar problem.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "unknown option '--metod'"));
  EXPECT_TRUE(mentions(outcome.err, "did you mean '--method'?"));
}

TEST(Usage, AMissingProblemIsNamed) {
  const Outcome outcome = Folder().salvo("fit");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "PROBLEM"));
}

TEST(Usage, AnOptionWithoutItsValueIsNamed) {
  const Outcome outcome = Folder().salvo("fit problem.yaml --method");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "the value of --method is missing"));
}

TEST(Usage, AWordTooManyIsNamed) {
  const Outcome outcome = Folder().salvo("check one.yaml two.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "unexpected word 'two.yaml'"));
}

TEST(Usage, WithJsonTheMistakeIsAnObjectOnStandardOutput) {
  const Outcome outcome = Folder().salvo("fit problem.yaml --jason --json");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out.front(), '{');
  EXPECT_TRUE(mentions(outcome.out, "\"usage\""));
  EXPECT_TRUE(mentions(outcome.out, "--jason"));
}

TEST(Usage, AFileThatIsNotThereEndsWithOne) {
  const Outcome outcome = Folder().salvo("check nowhere.yaml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(mentions(outcome.err, "nowhere.yaml"));
}

}  // namespace
}  // namespace salvo::test
