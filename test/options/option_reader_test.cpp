#include "options/option_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "fit/built_in.hpp"

namespace salvo::options {
namespace {

using model::AutoIntegrator;
using model::Dopri5;
using model::Rk4;

std::string first_message(const OptionReader& reader) {
  return reader.issues().empty() ? "" : reader.issues().front().message;
}

TEST(OptionReader, LeavesOutWhatWasNotSaid) {
  OptionReader reader;
  EXPECT_FALSE(reader.positive("--rtol", std::nullopt));
  EXPECT_FALSE(reader.nodes("--nodes", std::nullopt));
  EXPECT_FALSE(reader.integrator({}, Rk4{}));
  EXPECT_TRUE(reader.is_content());
}

TEST(OptionReader, SaysWhatToInstallForAnIntegratorThatIsNotBuiltIn) {
  EXPECT_EQ(not_built_in().kind, Issue::Kind::unsupported);
  EXPECT_NE(not_built_in().hint.find("libsundials-dev"), std::string::npos);
  OptionReader reader;
  reader.integrator({.integrator = "cvodes"}, Rk4{});
  EXPECT_EQ(reader.is_content(), fit::is_built_in(model::Cvodes{}));
}

TEST(OptionReader, ReadsDatesWhereTheProblemSaysHowTheyCount) {
  model::Problem problem;
  OptionReader plain(problem);
  EXPECT_FALSE(plain.times("--at", "1970-01-03"));
  EXPECT_FALSE(plain.time("--until", "1970-01-03"));
  problem.calendar = model::Calendar{.from = 86400, .unit_seconds = 86400};
  OptionReader reader(problem);
  EXPECT_EQ(reader.times("--at", "1970-01-05,1970-01-03,2.5"), (std::vector<double>{1, 2.5, 3}));
  EXPECT_EQ(reader.time("--until", "1970-01-03 12:00"), 1.5);
  EXPECT_EQ(reader.time("--until", "7"), 7);
  EXPECT_TRUE(reader.is_content());
}

TEST(OptionReader, ReadsNodesInAllTheirForms) {
  OptionReader reader;
  EXPECT_TRUE(std::holds_alternative<model::AutoNodes>(*reader.nodes("--nodes", "auto")));
  EXPECT_TRUE(std::holds_alternative<model::NodesAtMeasurements>(*reader.nodes("--nodes", "measurements")));
  EXPECT_TRUE(std::holds_alternative<model::SingleInterval>(*reader.nodes("--nodes", "single")));
  EXPECT_EQ(std::get<model::IntervalCount>(*reader.nodes("--nodes", "12")).intervals, 12);
  EXPECT_EQ(std::get<model::NodeTimes>(*reader.nodes("--nodes", "0,5,2.5")).times, (std::vector<double>{0, 2.5, 5}));
  EXPECT_EQ(std::get<model::NodeTimes>(*reader.nodes("--nodes", "-1,2")).times, (std::vector<double>{-1, 2}));
  EXPECT_TRUE(reader.is_content());
}

TEST(OptionReader, SaysWhatNodesCanBe) {
  for (const char* wrong : {"0", "-3", "many", "1,,2", "1,inf", "", "99999999999", "1000001"}) {
    OptionReader reader;
    EXPECT_FALSE(reader.nodes("--nodes", wrong)) << wrong;
    EXPECT_NE(first_message(reader).find("--nodes wants auto"), std::string::npos) << wrong;
  }
}

TEST(OptionReader, ReadsAssignmentsFromSeveralTexts) {
  OptionReader reader;
  const std::vector<std::string> texts{"p1=0.5,low:x1=-4e-1", "p2=1"};
  const std::map<std::string, double> expected{{"p1", 0.5}, {"low:x1", -0.4}, {"p2", 1}};
  EXPECT_EQ(reader.assignments("--guess", texts), expected);
  EXPECT_TRUE(reader.is_content());
}

TEST(OptionReader, CollectsEveryWrongAssignment) {
  OptionReader reader;
  reader.assignments("--guess", std::vector<std::string>{"p1,p2=x,=3,p3=1,p3=2,p4=nan"});
  EXPECT_EQ(reader.issues().size(), 5U);
}

TEST(OptionReader, RefusesNumbersThatMakeNoSense) {
  OptionReader reader;
  EXPECT_FALSE(reader.positive("--rtol", "-1e-3"));
  EXPECT_FALSE(reader.positive("--rtol", "0"));
  EXPECT_FALSE(reader.positive("--rtol", "1e-3x"));
  EXPECT_FALSE(reader.count("--starts", "2.5", 1));
  EXPECT_FALSE(reader.count("--starts", "0", 1));
  EXPECT_FALSE(reader.count("--starts", "100001", 1, most_starts));
  EXPECT_FALSE(reader.count("--max-iterations", "1000000000000", 1));
  EXPECT_FALSE(reader.seed("--seed", "-1"));
  EXPECT_FALSE(reader.number("--until", "inf"));
  EXPECT_EQ(reader.issues().size(), 9U);
}

TEST(OptionReader, HintsAtTheNearestMethod) {
  OptionReader reader;
  EXPECT_FALSE(reader.choice<model::Method>("--method", "gaus-newton"));
  ASSERT_EQ(reader.issues().size(), 1U);
  EXPECT_EQ(reader.issues().front().hint, "did you mean 'gauss-newton'?");
}

TEST(OptionReader, AppliesTolerancesToTheIntegratorOfTheFile) {
  OptionReader reader;
  const auto chosen = reader.integrator({.rtol = "1e-5"}, Dopri5{.rtol = 1e-6, .atol = 1e-7});
  EXPECT_EQ(std::get<Dopri5>(*chosen), (Dopri5{.rtol = 1e-5, .atol = 1e-7}));
}

TEST(OptionReader, RefusesARelativeToleranceThatComputesNothing) {
  for (const char* rtol : {"1", "0.1", "1e-16"}) {
    OptionReader reader;
    reader.integrator({.rtol = rtol}, Dopri5{});
    EXPECT_NE(first_message(reader).find("--rtol wants a number from 1e-14 to 0.01"), std::string::npos);
  }
}

TEST(OptionReader, ANamedIntegratorReplacesThatOfTheFile) {
  OptionReader reader;
  const auto chosen = reader.integrator({.integrator = "dopri5", .atol = "1e-4"}, Rk4{});
  EXPECT_EQ(std::get<Dopri5>(*chosen), Dopri5{.atol = 1e-4});
}

TEST(OptionReader, NamingTheIntegratorOfTheFileKeepsItsStep) {
  OptionReader reader;
  EXPECT_EQ(std::get<Rk4>(*reader.integrator({.integrator = "rk4"}, Rk4{.step = 0.01})), Rk4{.step = 0.01});
}

TEST(OptionReader, FixedStepsHaveNoTolerance) {
  OptionReader reader;
  reader.integrator({.integrator = "rk4", .rtol = "1e-5"}, AutoIntegrator{});
  EXPECT_NE(first_message(reader).find("--rtol cannot be used with integrator rk4"), std::string::npos);
}

TEST(OptionReader, NamesOptionsAsTheDoorSpellsThem) {
  OptionReader reader(Door::object);
  reader.count("--starts", "many", 1, most_starts);
  EXPECT_EQ(first_message(reader), "'starts' wants a whole number from 1 to 100000, not 'many'");
  OptionReader fixed(Door::object);
  fixed.integrator({.integrator = "rk4", .atol = "1e-5"}, AutoIntegrator{});
  EXPECT_EQ(first_message(fixed), "'atol' cannot be used with integrator rk4, which has fixed steps");
  EXPECT_EQ(fixed.issues().front().hint, "choose 'integrator' dopri5, or set the step in the problem file");
}

}  // namespace
}  // namespace salvo::options
