#include "runs/run_words.hpp"

#include <gtest/gtest.h>

namespace salvo::runs {
namespace {

TEST(RunWords, AreReadAgainAsTheyWereSaid) {
  RunWords words{.command = "study", .command_line = "salvo study 'a b.yaml'", .problem = "a b.yaml"};
  words.data = "other.csv";
  words.fit.method = "scalar";
  words.fit.integrator.rtol = "1e-9";
  words.fit.guess = {"p1=0.5", "p2=1,x1=\"2\""};
  words.fit.starts = "10";
  words.fit.profiles = true;
  words.profile.predict = {"x@1,2", "x/y@3"};
  words.truth = {"p1=1"};
  words.replicates = "7";
  const auto again = words_of(*journal::line_of(journal::text_of(line_of(words))));
  ASSERT_TRUE(again);
  EXPECT_EQ(line_of(*again), line_of(words));
  EXPECT_EQ(again->fit.guess, words.fit.guess);
  EXPECT_EQ(again->profile.predict, words.profile.predict);
  EXPECT_TRUE(again->fit.profiles);
  EXPECT_FALSE(again->fit.seed) << "what was not said is not said";
}

TEST(RunWords, OfSomethingElseAreNone) {
  EXPECT_FALSE(words_of({}));
  EXPECT_FALSE(words_of({{"journal", "1", true}}));
  EXPECT_FALSE(words_of({{"run", "2", true}}));
}

TEST(RunWords, HoldNumbersToTheLastBit) {
  EXPECT_EQ(exactly({{"a", 0.1}, {"b", 1.0 / 3}}), "a=0.10000000000000001,b=0.33333333333333331");
}

}  // namespace
}  // namespace salvo::runs
