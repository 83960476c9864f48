#include "estimate/kept.hpp"

#include "laid_out.hpp"

// An estimate is written down and restored in a workspace that knows nothing of it.
namespace salvo::estimate {
namespace {

TEST(KeptEstimate, IsRestoredWithItsAnswersAndItsAccounts) {
  const model::Problem problem = test::predator_prey();
  const Estimation estimation = estimate(problem, {}, {});
  const auto again = read_exact_words<KeptEstimation>(exact_words(kept(estimation)));
  ASSERT_TRUE(again);
  const Estimation other = restored(problem, {}, *again, {}, nullptr);
  EXPECT_EQ(write(other.best.answer), write(estimation.best.answer));
  EXPECT_EQ(other.best.answer.motion, estimation.best.answer.motion);
  EXPECT_EQ(other.workspace->ledger().spent(), estimation.workspace->ledger().spent());
  EXPECT_EQ(other.workspace->work().rhs, estimation.workspace->work().rhs);
  EXPECT_EQ(other.rule, estimation.rule);
  EXPECT_EQ(other.plan, estimation.plan);
  ASSERT_EQ(other.tried.size(), estimation.tried.size());
  for (std::size_t n = 0; n < other.tried.size(); ++n) EXPECT_EQ(other.tried[n].way, estimation.tried[n].way);
  ASSERT_EQ(other.best.answer.predictions.fitted.size(), estimation.best.answer.predictions.fitted.size());
  for (std::size_t n = 0; n < other.best.answer.predictions.fitted.size(); ++n)
    EXPECT_EQ(other.best.answer.predictions.fitted[n].simulation,
              estimation.best.answer.predictions.fitted[n].simulation);
}

TEST(KeptEstimate, OfAnotherProblemIsRefused) {
  const model::Problem problem = test::predator_prey();
  const Estimation estimation = estimate(problem, {}, {});
  EstimateState state{.random = Random::stream(1, 0).state()};
  state.answers.push_back({estimation.best.answer, {}, estimation.found_at});
  EXPECT_TRUE(read_state(write(state), problem));
  state.answers[0].answer.grids[0].experiment = 7;
  EXPECT_FALSE(read_state(write(state), problem));
  state.answers.clear();
  state.random = "no state";
  EXPECT_FALSE(read_state(write(state), problem));
  EXPECT_FALSE(read_state("nothing", problem));
}

TEST(KeptEstimate, KnowsHowOftenItsIntegratorWasRefined) {
  const model::Problem problem = test::predator_prey();
  EXPECT_FALSE(refined(problem, {}, 0)->integrator);
  EXPECT_TRUE(refined(problem, {}, 1)->integrator);
  EXPECT_FALSE(refined(problem, {}, 100));
}

}  // namespace
}  // namespace salvo::estimate
