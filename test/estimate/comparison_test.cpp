#include "estimate/answer/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>

namespace salvo::estimate {
namespace {

// A proved answer with this objective, and with one thing about it changed.
Merits proved(double objective) { return {.objective = objective, .is_proved = true}; }
Merits unproved(double objective) { return {.objective = objective}; }
Merits cut(Merits answer) { return answer.is_finished = false, answer; }
Merits torn(Merits answer) { return answer.is_joined = false, answer; }
Merits lost(Merits answer) { return answer.is_resolved = false, answer; }
Merits known_to(double resolution, Merits answer) { return answer.resolution = resolution, answer; }
Merits flat(Merits answer) { return answer.is_flat = true, answer; }
Merits moving(double motion, Merits answer) { return answer.motion = motion, answer; }
Merits away(double distance, Merits answer) { return answer.distance = distance, answer; }

struct Row {
  Merits winner;
  Merits loser;
  std::string_view rule;
};

// Of every rule: what it prefers, although everything after it says otherwise.
const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {torn(unproved(9)), cut(proved(1)), "finished"},
      {lost(unproved(9)), torn(proved(1)), "joined"},
      {unproved(9), lost(proved(1)), "resolved"},
      {unproved(1), proved(1.02), "better"},
      {moving(9, away(9, proved(1))), moving(1, proved(1.02)), "better"},
      // 0.01 in log-likelihood is no difference, and neither is what both resolutions together leave open
      {proved(1.009), unproved(1), "proved"},
      {known_to(0.3, proved(1.5)), known_to(0.3, unproved(1)), "proved"},
      {unproved(1), known_to(0.2, proved(1.5)), "better"},
      {moving(9, away(9, proved(1))), moving(1, flat(proved(1.009))), "seen"},
      {flat(proved(1)), proved(1.02), "better"},
      {moving(10, away(5, proved(1.009))), moving(11, proved(1)), "motion"},
      // a twentieth more motion is none
      {moving(10.4, proved(1)), moving(10, away(5, proved(1))), "nearest"},
      {away(1, proved(1.009)), away(1.01, proved(1)), "nearest"},
  };
  return rows;
}

TEST(Comparison, FollowsItsTableWhicheverWasFoundFirst) {
  const AnswerRules rules;
  for (std::size_t n = 0; n < table().size(); ++n) {
    const Row& row = table()[n];
    const Choice first = choose({row.winner, row.loser}, rules);
    const Choice second = choose({row.loser, row.winner}, rules);
    EXPECT_EQ(first.index, 0U) << "row " << n;
    EXPECT_EQ(second.index, 1U) << "row " << n;
    EXPECT_EQ(first.rule, row.rule) << "row " << n;
    EXPECT_EQ(second.rule, row.rule) << "row " << n;
  }
}

TEST(Comparison, OfAnswersThatNothingTellsApartTakesTheFirst) {
  const Choice choice = choose({away(1, proved(1)), away(1.0005, proved(1.005)), proved(2)}, {});
  EXPECT_EQ(choice.index, 0U);
  EXPECT_EQ(choice.rule, "first");
  EXPECT_EQ(choose({proved(1)}, {}).index, 0U);
}

TEST(Comparison, AnAnswerLowerByRoundingNeverDisplacesAProvedOne) {
  for (const double lower : {1e-15, 1e-9, 1e-6, 1e-3, 0.0099}) {
    EXPECT_EQ(choose({proved(1), unproved(1 - lower)}, {}).index, 0U) << lower;
    EXPECT_EQ(choose({unproved(1 - lower), proved(1)}, {}).index, 1U) << lower;
  }
}

// What is left after each rule does not depend on who stands where.
TEST(Comparison, OfThreeIsTheSameInEveryOrder) {
  const std::vector<std::vector<Merits>> threes{
      {proved(1), unproved(0.995), torn(proved(0))},
      {proved(1), proved(1.008), unproved(0.5)},
      // a chain: each is as good as its neighbour, but the last is worse than the first
      {away(3, proved(1)), away(2, proved(1.008)), away(1, proved(1.016))},
      {moving(10, away(2, proved(1))), moving(10.4, away(1, proved(1))), moving(10.8, proved(1))},
      {cut(proved(0)), lost(proved(0.5)), away(1, proved(1))},
  };
  for (std::size_t n = 0; n < threes.size(); ++n) {
    std::vector<std::size_t> order{0, 1, 2};
    const std::size_t best = choose(threes[n], {}).index;
    const std::string rule(choose(threes[n], {}).rule);
    do {
      std::vector<Merits> answers;
      for (const std::size_t i : order) answers.push_back(threes[n][i]);
      const Choice choice = choose(answers, {});
      EXPECT_EQ(order[choice.index], best) << "three " << n;
      EXPECT_EQ(choice.rule, rule) << "three " << n;
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Comparison, LeavesAllThatAreEquallyGood) {
  EXPECT_EQ(equally_good({moving(9, proved(1)), proved(1.02), away(4, proved(1.009)), unproved(1)}, {}),
            (std::vector<std::size_t>{0, 2}));
}

TEST(Comparison, ListsTheBestFirstAndThenByObjectiveWithWhatIsTornLast) {
  const std::vector<Merits> answers{torn(proved(0)), proved(3), proved(2), cut(proved(1)), proved(2.005)};
  EXPECT_EQ(ranked(answers, 4), (std::vector<std::size_t>{4, 2, 1, 3, 0}));
}

}  // namespace
}  // namespace salvo::estimate
