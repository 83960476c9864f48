#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

using Json = nlohmann::json;

class CompareCommand : public testing::Test {
 protected:
  CompareCommand() {
    folder_.write("two.yaml",
                  "equations: {x: a - k*x}\ninitial: {x: 1}\nparameters: {a: {guess: 0.1}, k: {guess: 1}}\n"
                  "observables: {seen: {formula: x, noise: 0.05}}\ndata: two.csv\n");
    folder_.write("two.csv", "time,seen,experiment\n0.5,0.80,one\n1,0.58,one\n2,0.38,one\n3,0.24,one\n1,0.62,two\n");
    EXPECT_EQ(folder_.salvo("fit two.yaml --quiet").code, 0);
    EXPECT_EQ(folder_.salvo("fit two.yaml --quiet --fix a=0 --out fixed.fit").code, 0);
  }
  Folder folder_;
};

// The ratio is twice the difference of the log-likelihoods that the fits have written.
TEST_F(CompareCommand, TestsAFitAgainstOneWithAParameterHeld) {
  const Outcome outcome = folder_.salvo("compare two.fit fixed.fit --json --out page.html");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  const Json two = Json::parse(folder_.read("two.fit/fit.json")),
             fixed = Json::parse(folder_.read("fixed.fit/fit.json"));
  EXPECT_EQ(two["data_sha256"], fixed["data_sha256"]);
  EXPECT_EQ(two["model_sha256"], fixed["model_sha256"]);
  ASSERT_EQ(json["likelihood_ratios"].size(), 1u);
  const Json& ratio = json["likelihood_ratios"][0];
  EXPECT_EQ(ratio["larger"], "two.fit");
  EXPECT_EQ(ratio["degrees_of_freedom"], 1);
  EXPECT_NEAR(ratio["statistic"].get<double>(), 2 * (two["llh"].get<double>() - fixed["llh"].get<double>()), 1e-12);
  EXPECT_NEAR(json["fits"][0]["by_aic"]["weight"].get<double>() + json["fits"][1]["by_aic"]["weight"].get<double>(), 1,
              1e-12);
  EXPECT_NE(folder_.read("page.html").find("<td>fixed.fit</td>"), std::string::npos);
  EXPECT_NE(folder_.salvo("compare two.fit fixed.fit").out.find("special case"), std::string::npos);
}

TEST_F(CompareCommand, RefusesOtherDataAndWhatIsNoFit) {
  ASSERT_EQ(folder_.salvo("fit two.yaml --quiet --only one --out part.fit").code, 0);
  const Outcome other = folder_.salvo("compare two.fit part.fit --json");
  EXPECT_EQ(other.code, 2);
  EXPECT_EQ(Json::parse(other.out)["status"], "invalid");
  EXPECT_NE(other.err.find("two.fit and part.fit are not fits to the same data"), std::string::npos);
  EXPECT_EQ(folder_.salvo("compare two.fit").code, 1);
  EXPECT_EQ(folder_.salvo("compare two.fit nothing.fit").code, 1);
  folder_.write("fixed.fit/fit.json", "[1, 2");
  EXPECT_EQ(folder_.salvo("compare two.fit fixed.fit").code, 1);
}

TEST_F(CompareCommand, FitsTakeOtherDataAndSomeExperiments) {
  folder_.write("other.csv", "time,seen\n0.5,0.80\n1,0.58\n2,0.30\n");
  const Json other = Json::parse(folder_.salvo("fit two.yaml --quiet --json --data other.csv").out);
  EXPECT_EQ(other["measurements"], 3);
  const Json only = Json::parse(folder_.salvo("fit two.yaml --quiet --json --only one").out);
  EXPECT_EQ(only["measurements"], 4);
  const Outcome unknown = folder_.salvo("fit two.yaml --only on");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_NE(unknown.err.find("--only: there is no experiment 'on'\n  hint: did you mean 'one'?"), std::string::npos)
      << unknown.err;
}

TEST_F(CompareCommand, AFitGoesOnUntilATime) {
  EXPECT_EQ(folder_.read("two.fit/bands.csv").find("\none,6,seen,"), std::string::npos);
  EXPECT_EQ(folder_.read("two.fit/pictures.json").find("\"lower_new\""), std::string::npos);
  ASSERT_EQ(folder_.salvo("fit two.yaml --quiet --until 6").code, 0);
  EXPECT_NE(folder_.read("two.fit/bands.csv").find("\none,6,seen,"), std::string::npos);
  EXPECT_NE(folder_.read("two.fit/pictures.json").find("\"lower_new\""), std::string::npos);
  EXPECT_EQ(folder_.salvo("fit two.yaml --until 0").code, 1);
}

}  // namespace
}  // namespace salvo::test
