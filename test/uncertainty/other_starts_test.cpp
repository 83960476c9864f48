#include "uncertainty/profiles/other_starts.hpp"

#include <cmath>

#include "estimate/estimate.hpp"
#include "helpers/problems.hpp"

namespace salvo::uncertainty {
namespace {

// Data of 2 at all times say nothing of a decay: b exp(-k t) with k on a logarithmic scale has run away to where it is
// none. All that is known is that k is small.
model::Problem no_decay() {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::within(0.3, 1e-40, 1e3, model::Scale::log)).observable("seen", "x", "0.1");
  builder.experiment(model::default_experiment, {test::estimated(1)});
  for (int t = 0; t < 5; ++t) builder.measure(0, 0, t, 2);
  return builder.build();
}

TEST(OtherStartsOfAPath, BringBackWhatHasRunAway) {
  const model::Problem problem = no_decay();
  const estimate::Workspace workspace(problem, {.guess = {{"k", 1e-30}}});
  const auto shooting = workspace.unbroken();
  const std::vector<double> guesses = given_guesses(workspace, *shooting);
  ASSERT_EQ(guesses.size(), 2U);
  EXPECT_NEAR(guesses[0], std::log(0.3), 1e-12);  // that of the problem, not that of the fit
  const nlp::Point optimum{std::log(1e-30), 2};
  nlp::Blocks blocks;
  ASSERT_TRUE(shooting->values(optimum, {}, blocks).ok);
  const OtherStarts others(*shooting, optimum, blocks.objective, {}, guesses);
  const std::vector<nlp::Point> starts = others.beside(optimum, 1);
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_GT(starts[0][0], std::log(1e-4));  // as far as the data hardly suffer
  EXPECT_LT(starts[0][0], std::log(0.1));
  EXPECT_EQ(starts[0][1], 2);
  EXPECT_TRUE(others.beside(optimum, 0).empty());              // it is what is held
  EXPECT_TRUE(others.beside({std::log(0.01), 2}, 1).empty());  // it has come back by itself
  EXPECT_TRUE(others.beside({1, 2, 3}, 1).empty());            // another problem
}

TEST(OtherStartsOfAPath, LieBeyondInfinityAndZero) {
  const model::Problem problem = no_decay();
  const estimate::Workspace workspace(problem, {});
  const auto shooting = workspace.unbroken();
  const nlp::Point optimum{std::log(0.3), 2};
  nlp::Blocks blocks;
  ASSERT_TRUE(shooting->values(optimum, {}, blocks).ok);
  const OtherStarts others(*shooting, optimum, blocks.objective, {}, given_guesses(workspace, *shooting));
  EXPECT_TRUE(others.beside(optimum, 0).empty());
  EXPECT_EQ(others.beside({0, 2e9}, 0), (std::vector<nlp::Point>{{0, -20}}));
  EXPECT_EQ(others.beside({0, -2e-9}, 0), (std::vector<nlp::Point>{{0, 0.2}}));
}

}  // namespace
}  // namespace salvo::uncertainty
