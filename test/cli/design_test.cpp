#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

using Json = nlohmann::json;

const std::string model =
    "title: Decay\nequations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 1}}\n"
    "observables: {seen: {formula: x, noise: 0.05}}\n";
const std::string section =
    "design: {measure: [{observables: [seen], times: {from: 0, to: 5, step: 0.25}}], budget: 2}\n";

class DesignCommand : public testing::Test {
 protected:
  DesignCommand() {
    folder_.write("decay.yaml", model + "data: decay.csv\n" + section);
    folder_.write("decay.csv", "time,seen\n0.5,0.80\n1,0.58\n2,0.38\n3,0.24\n");
    folder_.write("planned.yaml", model + section);
  }
  Folder folder_;
};

TEST_F(DesignCommand, WritesWhatItPrints) {
  const Outcome outcome = folder_.salvo("design planned.yaml");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* words : {"Decay", "error now", "which is proved", "Results: planned.design"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words;
  EXPECT_EQ(outcome.out.find(folder_.read("planned.design/summary.txt")), 0U);
  EXPECT_NE(folder_.read("planned.design/report.html").find("class=\"curve\""), std::string::npos);
  EXPECT_NE(folder_.read("planned.design/design.csv").find("0,seen,\n1,seen,\n"), std::string::npos);
  const Outcome json = folder_.salvo("design planned.yaml --json --out other");
  EXPECT_EQ(json.out, folder_.read("other/design.json"));
  EXPECT_EQ(Json::parse(json.out)["measurements"].size(), 2U);
}

// What the fit says of its errors is what the design says of them now; its data count.
TEST_F(DesignCommand, TakesTheEstimatesOfAFit) {
  ASSERT_EQ(folder_.salvo("fit decay.yaml --quiet").code, 0);
  const Json fit = Json::parse(folder_.read("decay.fit/fit.json"));
  const Outcome outcome = folder_.salvo("design decay.yaml --from decay.fit --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json design = Json::parse(outcome.out);
  const double now = design["errors"]["k"][0], then = design["errors"]["k"][1];
  EXPECT_NEAR(now, fit["parameters"][0]["standard_error"].get<double>(), 1e-6 * now);
  EXPECT_LT(then, now);
  // Measured at these times, with any values, the fit itself has these errors at the same estimates.
  std::string data = folder_.read("decay.csv");
  const Json at = design["measurements"];
  for (const Json& m : at) data += m["time"].dump() + ",1\n";
  folder_.write("more.csv", data);
  const std::string k = fit["parameters"][0]["estimate"].dump(), x = fit["initial"][0]["estimate"].dump();
  const Outcome study =
      folder_.salvo("study decay.yaml --data more.csv --replicates 2 --json --truth k=" + k + ",x=" + x);
  ASSERT_EQ(study.code, 0) << study.err;
  EXPECT_NEAR(Json::parse(study.out)["expected_sd"]["k"].get<double>(), then, 1e-5 * then);
}

TEST_F(DesignCommand, TakesTheSectionOfAnotherFile) {
  folder_.write("question.yaml",
                "design: {measure: [{observables: [seen], times: [1, 2]}], criterion: c(k), budget: 1}\n");
  const Outcome outcome = folder_.salvo("design decay.yaml --design question.yaml --json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["criterion"], "c(k)");
}

TEST_F(DesignCommand, SaysWhatIsWrong) {
  folder_.write("none.yaml", model + "data: decay.csv\n");
  const Outcome none = folder_.salvo("design none.yaml --json");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(Json::parse(none.out)["status"], "usage");
  EXPECT_NE(none.err.find("add a section 'design'"), std::string::npos) << none.err;
  folder_.write("wrong.yaml", model + "design: {measure: [{observables: [sen], times: [1]}], budget: 2}\n");
  const Outcome wrong = folder_.salvo("design wrong.yaml --json");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(Json::parse(wrong.out)["issues"][0]["hint"], "did you mean 'seen'?");
  folder_.write("small.yaml", model + "design: {measure: [{observables: [seen], times: [1, 2]}], budget: 1}\n");
  const Outcome small = folder_.salvo("design small.yaml --json");
  EXPECT_EQ(small.code, 4);
  EXPECT_EQ(Json::parse(small.out)["status"], "not_identifiable");
  EXPECT_NE(small.err.find("The budget is too small"), std::string::npos) << small.err;
}

TEST_F(DesignCommand, LeavesFitsWithoutDataToOthers) {
  EXPECT_EQ(folder_.salvo("fit planned.yaml").code, 4);
  EXPECT_NE(folder_.salvo("check planned.yaml").out.find("no measurements"), std::string::npos);
}

}  // namespace
}  // namespace salvo::test
