#include "options/prepare.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "helpers/samples.hpp"
#include "options/arguments.hpp"
#include "options/door.hpp"

namespace salvo::options {
namespace {

std::string message_of(const FitWords& words, Door door) {
  const auto prepared = prepare_fit(words, test::rich_problem(), door);
  return prepared ? "" : prepared.issues().front().message;
}

TEST(PreparedFit, HoldsWhatWasSaidAndTheProblemAsItIsToBeFitted) {
  FitWords words;
  words.fix = {"a=2"};
  words.guess = {"b=0.3"};
  words.starts = "7";
  const auto prepared = prepare_fit(words, test::rich_problem());
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->options.starts, 7);
  EXPECT_EQ(prepared->options.guess, (std::map<std::string, double>{{"b", 0.3}}));
  for (const model::Parameter& parameter : prepared->problem.parameters) {
    if (parameter.id == "a") {
      EXPECT_EQ(std::get<double>(parameter.value), 2);
    }
  }
}

TEST(PreparedFit, ComplainsInTheWordsOfItsDoor) {
  FitWords both;
  both.guess = both.fix = {"a=2"};
  EXPECT_EQ(message_of(both, Door::command_line), "--guess and --fix both name 'a'");
  EXPECT_EQ(message_of(both, Door::object), "'guess' and 'fix' both name 'a'");
  EXPECT_EQ(message_of(both, Door::keywords), "guess and fix both name 'a'");
  FitWords hasty;
  hasty.max_time = "-1";
  EXPECT_EQ(message_of(hasty, Door::keywords), "max_time wants a number above 0, not '-1'");
  FitWords late;
  late.until = "-5";
  EXPECT_TRUE(message_of(late, Door::command_line).starts_with("--until: the time -5 is not after the start"));
  EXPECT_TRUE(message_of(late, Door::object).starts_with("'until': the time -5 is not after the start"));
  FitWords nowhere;
  nowhere.from = "/nowhere";
  EXPECT_EQ(message_of(nowhere, Door::object), "'from' '/nowhere': there is no /nowhere/estimates.tsv");
}

TEST(PreparedFit, SaysAllThatIsWrongAtOnce) {
  FitWords words;
  words.starts = "none";
  words.fix = {"zeta=1"};
  words.only = {"nowhere"};
  const auto prepared = prepare_fit(words, test::rich_problem());
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.issues().size(), 3U);
}

TEST(PreparedProfiles, ComplainInTheWordsOfTheirDoor) {
  const auto level = prepare_profiles({.level = "2"}, test::rich_problem(), Door::keywords);
  ASSERT_FALSE(level);
  EXPECT_EQ(level.issues().front().message, "level wants a number from 0.01 to 0.9999, not '2'");
  const auto nobody = prepare_profiles({.parameters = {"nobody"}}, test::rich_problem(), Door::keywords);
  ASSERT_FALSE(nobody);
  EXPECT_TRUE(nobody.issues().front().message.starts_with("parameters: ")) << nobody.issues().front().message;
}

TEST(Hints, AreSpelledAsKeywordsWhereTheyComeFromACall) {
  const auto prepared = prepare_fit({}, test::rich_problem(), Door::keywords);
  ASSERT_TRUE(prepared);
  for (const Hint hint : {Hint::iterations, Hint::time, Hint::effort, Hint::go_on, Hint::hold, Hint::guess,
                          Hint::starts, Hint::nodes, Hint::at_measurements, Hint::accuracy, Hint::tolerance}) {
    const std::string spelling = salvo::spelled(prepared->options.spelling, hint);
    EXPECT_NE(spelling.find('='), std::string::npos) << spelling;
    EXPECT_EQ(spelling.find("--"), std::string::npos) << spelling;
  }
}

TEST(PreparedSimulation, RefusesTimesBeforeTheStart) {
  const auto prepared = prepare_simulation({.at = "-7,1"}, test::rich_problem(), Door::object);
  ASSERT_FALSE(prepared);
  EXPECT_TRUE(prepared.issues().front().message.starts_with("'at': the time -7 is before the start"));
}

TEST(PreparedSimulation, TakesValuesInOnePlaceOnly) {
  const SimulateWords words{.values = {.parameters = "a=1", .from = "x.fit"}};
  const auto prepared = prepare_simulation(words, test::rich_problem(), Door::object);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.issues().front().message, "'parameters' and 'from' exclude each other");
}

TEST(OutFolder, IsLookedAtBeforeTheWork) {
  EXPECT_TRUE(check_folder(testing::TempDir() + "/not/yet").empty());
  const Issues refused = check_folder("/dev/null/x", Door::object);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_TRUE(refused.front().message.starts_with("'out': the folder '/dev/null/x' cannot be made"));
}

}  // namespace
}  // namespace salvo::options
