#include <gtest/gtest.h>

#include "estimate/estimate.hpp"
#include "helpers/problems.hpp"
#include "words/about_starts.hpp"
#include "words/alternatives.hpp"
#include "words/combination.hpp"
#include "words/constraints.hpp"
#include "words/how_found.hpp"
#include "words/message.hpp"
#include "words/null_direction.hpp"
#include "words/profile_words.hpp"

namespace salvo::words {
namespace {

StartResult start_in(int minimum, Status status = Status::converged) {
  return {.status = status, .objective = 1.0 * minimum, .minimum = minimum, .parameters = {{"p", 1.0 + minimum}}};
}

TEST(AboutStarts, CountsThoseThatConvergedAndTheirOptima) {
  EXPECT_EQ(about_starts({start_in(0), start_in(0)}), "2 of 2 starts converged, all of them to this optimum.");
  EXPECT_EQ(about_starts({start_in(0), start_in(1), start_in(-1, Status::stalled)}),
            "2 of 3 starts converged, 1 of them to the best of 2 optima.");
  EXPECT_EQ(about_starts({start_in(-1, Status::stalled), start_in(-1, Status::max_time)}),
            "None of 2 starts converged. Only 1 was finished.");
  // The first is the answer, and lies lower than where the others converged.
  EXPECT_EQ(about_starts({start_in(-1, Status::stalled), start_in(0)}),
            "1 of 2 starts converged, to a point where the fit is worse than here.");
}

TEST(ReadTogether, CountsLikeAPerson) {
  const auto sure = [](const char* id) { return Profile{.id = id, .verdict = Verdict::identifiable}; };
  EXPECT_EQ(read_together({sure("k")}), "k is identifiable.");
  EXPECT_EQ(read_together({sure("k"), sure("m")}), "Both quantities are identifiable.");
  EXPECT_EQ(read_together({sure("k"), sure("m"), sure("n")}), "All 3 quantities are identifiable.");
}

std::vector<Profile::Point> stretch(const std::function<double(double)>& other) {
  std::vector<Profile::Point> points;
  for (const double a : {1.0, 2.0, 4.0}) points.push_back({.value = a, .others = {a, other(a)}});
  return points;
}
using Texts = std::vector<std::string>;

TEST(Combinations, AreWhatStaysTheSameAlongAStretch) {
  EXPECT_EQ(combinations_along("a", stretch([](double a) { return 6 / a; }), {"a", "b"}), Texts{"a*b = 6"});
  EXPECT_EQ(combinations_along("a", stretch([](double a) { return 3 * a; }), {"a", "b"}), Texts{"a/b = 0.3333"});
  EXPECT_EQ(combinations_along("a", stretch([](double a) { return 2 / (a * a); }), {"a", "b"}), Texts{"a^2*b = 2"});
  EXPECT_EQ(combinations_along("a", stretch([](double a) { return 3 - a; }), {"a", "b"}), Texts{"a + b = 3"});
  EXPECT_EQ(combinations_along("a", stretch([](double) { return 5; }), {"a", "b"}), Texts{});
}

TEST(ConstraintsInWords, SayWhereTheyHold) {
  EXPECT_EQ(in_words(ConstraintResult::Place{"low", 3}, false), "at t = 3");
  EXPECT_EQ(in_words(ConstraintResult::Place{"low", 3}, true), "at t = 3 in experiment 'low'");
  EXPECT_EQ(in_words(ConstraintResult::Place{"low", {}}, true), "in experiment 'low'");
}

// A direction on the scales, in per cent of each quantity: d log a = 1, d b = -4 where b = 2.
TEST(NullDirections, AreRelativeToWhatTheyChange) {
  const model::Estimated log = test::estimated(1, model::Scale::log), lin = test::estimated(1);
  const std::vector<estimate::Quantity> all{{.id = "a", .estimated = &log, .unknown = 0},
                                            {.id = "b", .estimated = &lin, .unknown = 1}};
  const NullDirection direction = named(all, {1, -4}, {0, 2});
  ASSERT_EQ(direction.parts.size(), 2U);
  EXPECT_EQ(direction.parts[0].first, "a");
  EXPECT_NEAR(direction.parts[0].second, -0.5, 1e-12);
  EXPECT_EQ(direction.parts[1].second, 1);
}

TEST(ProfileWords, SayWhatBothSidesSay) {
  Profile profile{.id = "k", .estimate = 2, .lower = 1, .upper = 3};
  add_words({.down = statistics::PathEnd::level, .up = statistics::PathEnd::level}, 0.95, {"k"}, profile);
  EXPECT_EQ(profile.verdict, Verdict::identifiable);
  EXPECT_EQ(profile.sentence, "k lies between 1 and 3 (95 %).");
}

// x' = -p^2 x does not know the sign of p.
struct Signs {
  model::Problem problem = [] {
    test::Builder builder(test::Equations{{"x", "-p^2*x"}});
    builder.parameter("p", test::estimated(1)).observable("seen", "x", "0.01");
    builder.experiment(model::default_experiment, {std::string("1")});
    for (int j = 1; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, std::exp(-0.49 * 0.5 * j));
    return builder.build();
  }();
  estimate::Estimation estimation = estimate::estimate(problem, {}, {});
};

TEST(Alternatives, SayHowTheyDiffer) {
  const Signs signs;
  FitResult result;
  result.objective = signs.estimation.best.answer.run.objective;
  const auto told = alternatives(signs.estimation, result);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].sentence, "p = -0.7 fits as well: p has the other sign");
  EXPECT_NEAR(told[0].parameters.at(0).second, -0.7, 1e-5);
}

TEST(HowFound, SaysNothingOfTheFirstWayAlone) {
  Signs signs;
  EXPECT_EQ(how_it_was_found(signs.estimation), "");
  // Mirror images are no ways to the answer: what they come to is told as alternatives.
  signs.estimation.tried = {{&estimate::nodes, true, true}, {&estimate::mirror, true, false}};
  EXPECT_EQ(how_it_was_found(signs.estimation), "");
  signs.estimation.tried = {{&estimate::nodes, true, true}, {&estimate::search, true, false}};
  EXPECT_EQ(how_it_was_found(signs.estimation), " Also looked for others; none was better.");
  signs.estimation.tried = {{&estimate::nodes, false, true}, {&estimate::trajectory, true, true}};
  EXPECT_EQ(how_it_was_found(signs.estimation),
            " Found by single shooting from the guess; multiple shooting led to no minimum.");
  signs.estimation.tried = {{&estimate::nodes, true, true}, {&estimate::search, true, true}};
  EXPECT_EQ(how_it_was_found(signs.estimation),
            " Found by other starts, which gave a better fit than multiple shooting.");
  // What led to no minimum is no fit to be better than.
  signs.estimation.tried = {
      {&estimate::nodes, false, false}, {&estimate::trajectory, true, true}, {&estimate::search, true, true}};
  EXPECT_EQ(how_it_was_found(signs.estimation),
            " Found by other starts, which gave a better fit than single shooting from the guess.");
  signs.estimation.is_credible = false;
  EXPECT_EQ(how_it_was_found(signs.estimation), " None of the fits that were found agrees with the stated noise.");
}

// How something is to be changed, each door says in its own words.
TEST(Message, SpellsHintsAsItsDoorDoes) {
  const Signs signs;
  for (const auto& [spelling, words] : {std::pair{Spelling{}, "Options::max_iterations"},
                                        std::pair{Spelling{{Hint::iterations, "--more"}}, "--more"}}) {
    estimate::Estimation estimation =
        estimate::estimate(signs.problem, {.max_iterations = 1, .guess = {{"p", 5}}, .spelling = spelling}, {});
    FitResult result;
    result.status = Status::max_iterations;
    result.iterations = 1;
    const std::string text = message(estimation, result);
    EXPECT_NE(text.find(std::string("Allow more with ") + words + ","), std::string::npos) << text;
  }
}

TEST(Message, NamesNoPartOfTheSource) {
  const Signs signs;
  FitResult result;
  result.status = Status::converged;
  result.certificate.is_of_nodes = true;
  const std::string text = message(signs.estimation, result);
  EXPECT_NE(text.find(" Errors of integration grow"), std::string::npos) << text;
  EXPECT_EQ(text.find("::"), std::string::npos) << text;
}

}  // namespace
}  // namespace salvo::words
