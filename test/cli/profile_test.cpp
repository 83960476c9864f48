#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

namespace salvo::test {
namespace {

using Json = nlohmann::json;

class ProfileCommand : public testing::Test {
 protected:
  ProfileCommand() {
    folder_.write("puromycin.yaml",
                  "equations: {x: 0}\ninitial: {x: 0}\nparameters: {Vm: {guess: 200}, K: {guess: 0.05}}\n"
                  "observables: {rate: {formula: Vm*t/(K + t)}}\ndata: rates.csv\n");
    folder_.write("rates.csv",
                  "time,rate\n0.02,76\n0.02,47\n0.06,97\n0.06,107\n0.11,123\n0.11,139\n0.22,159\n0.22,152\n0.56,191\n"
                  "0.56,201\n1.10,207\n1.10,200\n");
  }
  Folder folder_;
};

// Bates and Watts' example; ends that solve RSS(c) = RSS_min (1 + t^2/(n - k)).
TEST_F(ProfileCommand, GivesFiveDigitsInJson) {
  const Outcome outcome = folder_.salvo("profile puromycin.yaml --json --quiet");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["level"], 0.95);
  EXPECT_EQ(json["sentence"], "All 3 quantities are identifiable.");
  EXPECT_EQ(json["next_measurement"]["observable"], "rate");
  const Json& vm = json["profiles"][0];
  EXPECT_EQ(vm["id"], "Vm");
  EXPECT_EQ(vm["verdict"], "identifiable");
  EXPECT_NEAR(vm["interval"][0].get<double>(), 197.30193, 2e-5);
  EXPECT_NEAR(vm["interval"][1].get<double>(), 229.28906, 2e-5);
  const Json& k = json["profiles"][1];
  EXPECT_NEAR(k["interval"][0].get<double>(), 0.046920342, 1e-8);
  EXPECT_NEAR(k["interval"][1].get<double>(), 0.086156913, 1e-8);
}

// The ends of Vm/K solve the same equation, with Vm = r K put in; computed independently. A comma in a formula stays
// within its cell.
TEST_F(ProfileCommand, FollowsFormulas) {
  const Outcome outcome =
      folder_.salvo("profile puromycin.yaml --json --quiet --predict Vm/K --predict 'max(rate, K)@0.5,1'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json profiles = Json::parse(outcome.out)["profiles"];
  ASSERT_EQ(profiles.size(), 3u);
  EXPECT_EQ(profiles[0]["id"], "Vm/K");
  EXPECT_NEAR(profiles[0]["interval"][0].get<double>(), 2607.3024, 2e-2);
  EXPECT_NEAR(profiles[0]["interval"][1].get<double>(), 4295.3363, 2e-2);
  EXPECT_EQ(profiles[2]["id"], "max(rate, K)@1");
  EXPECT_NE(folder_.read("puromycin.fit/profiles.csv").find("\n\"max(rate, K)@1\","), std::string::npos);
}

TEST_F(ProfileCommand, ReadsThePictureAtATerminal) {
  const Outcome outcome = folder_.salvo("profile puromycin.yaml");
  EXPECT_NE(outcome.out.find("Vm lies between 197.3 and 229.3 (95 %)."), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("All 3 quantities are identifiable."), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("helps most"), std::string::npos) << outcome.out;
}

// However far it came, it ends with the same bytes.
TEST_F(ProfileCommand, GoesOnAfterAKillAtAnyMoment) {
  ASSERT_EQ(folder_.salvo("profile puromycin.yaml --quiet --out whole").code, 0);
  for (const char* moment : {"0.003", "0.006", "0.009", "0.012", "0.02"}) {
    folder_.salvo("profile puromycin.yaml --quiet --out torn --resume", std::string("timeout -s KILL ") + moment);
    const Outcome resumed = folder_.salvo("profile puromycin.yaml --quiet --out torn --resume");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(folder_.read("torn/profiles.csv"), folder_.read("whole/profiles.csv")) << moment;
  }
}

}  // namespace
}  // namespace salvo::test
