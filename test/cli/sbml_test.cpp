#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cli/program.hpp"
#include "formats/sbml_models.hpp"

namespace salvo::test {
namespace {

bool names(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// A(t) = 3 exp(-t/2), in a model that says nothing of times.
class BareModel : public testing::Test {
 protected:
  BareModel() { folder_.write("model.xml", formats::conversion_model()); }
  Folder folder_;
};

TEST_F(BareModel, IsSimulatedWithoutSettings) {
  const Outcome outcome = folder_.salvo("simulate-sbml model.xml");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("time,A,B\n0,3,")) << outcome.out.substr(0, 60);
  const std::size_t row = outcome.out.find("\n2,");
  ASSERT_NE(row, std::string::npos);
  EXPECT_NEAR(std::stod(outcome.out.substr(row + 3)), 3 * std::exp(-1.0), 1e-6);
  EXPECT_TRUE(names(outcome.err, "2 variables from t = 0 to 100")) << outcome.err;
}

TEST_F(BareModel, IsToldHowItBecomesAProblem) {
  for (const char* command : {"fit", "check", "evaluate", "simulate", "study", "profile"}) {
    const Outcome outcome = folder_.salvo(std::string(command) + " model.xml");
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_TRUE(names(outcome.err, "this is a model in SBML")) << outcome.err;
    EXPECT_TRUE(names(outcome.err, "salvo new --from model.xml")) << outcome.err;
  }
}

TEST_F(BareModel, BecomesAProblemThatSaysTheSame) {
  const Outcome written = folder_.salvo("new --from model.xml");
  ASSERT_EQ(written.code, 0) << written.err;
  const std::string yaml = folder_.read("model/model.yaml");
  EXPECT_TRUE(names(yaml, "# The SBML model model.xml as a problem file of Salvo.")) << yaml;
  EXPECT_TRUE(names(yaml, "parameters:   # to estimate one, write")) << yaml;
  EXPECT_TRUE(names(folder_.read("model/model.csv"), "# These are not measurements"))
      << folder_.read("model/model.csv");
  const Outcome simulated = folder_.salvo("simulate model/model.yaml --at 2 --json");
  ASSERT_EQ(simulated.code, 0) << simulated.err;
  const std::size_t at = simulated.out.find("\"A_measured\":[");
  ASSERT_NE(at, std::string::npos) << simulated.out;
  EXPECT_NEAR(std::stod(simulated.out.substr(at + 14)), 3 * std::exp(-1.0), 1e-6);
  EXPECT_EQ(folder_.salvo("check model/model.yaml").code, 0);
  // Nothing that exists is overwritten, and another name is taken.
  EXPECT_EQ(folder_.salvo("new --from model.xml").code, 1);
  EXPECT_EQ(folder_.salvo("new other --from model.xml").code, 0);
  EXPECT_TRUE(folder_.has("other/other.yaml"));
}

// Ten thousand once took six gigabytes: sixty bytes that are kept for each pair would be one for these.
TEST_F(BareModel, MayHaveManyEventsWithPriorities) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more addresses than the limit allows before the program begins";
#endif
  folder_.write("events.xml", formats::model_with_priorities(4000));
  folder_.write("settings.txt", "start: 0\nduration: 3\nsteps: 12\nvariables: x\namount:\nconcentration:\n");
  const Outcome outcome = folder_.salvo("simulate-sbml events.xml --settings settings.txt", "ulimit -v 400000;");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // x rises from 1, and the first event sets it back whenever it comes to 2.
  for (const char* row : {"\n0.5,", "\n1.5,", "\n2.5,"}) {
    const std::size_t at = outcome.out.find(row);
    ASSERT_NE(at, std::string::npos) << outcome.out;
    EXPECT_NEAR(std::stod(outcome.out.substr(at + 5)), 1.5, 1e-6);
  }
}

TEST_F(BareModel, IsNotWhatASentenceIs) {
  folder_.write("text.xml", "hello\n");
  EXPECT_EQ(folder_.salvo("new --from text.xml").code, 2);
  EXPECT_EQ(folder_.salvo("new --from nothing.xml").code, 1);
  EXPECT_EQ(folder_.salvo("new").code, 1);
}

}  // namespace
}  // namespace salvo::test
