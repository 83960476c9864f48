#include "estimate/ways/setup.hpp"

#include "fit/diagnostics.hpp"
#include "fits.hpp"

// Data may be long: what a fit and a check do with them, they do once.
namespace salvo::fit {
namespace {

TEST(Setup, CopiesAProblemOnlyForOtherGuesses) {
  const model::Problem problem = test::predator_prey();
  EXPECT_EQ(make_setup(problem, {}).problem, &problem);
  const estimate::Setup other = make_setup(problem, {.guess = {{"p1", 0.7}}});
  EXPECT_NE(other.problem, &problem);
  EXPECT_EQ(std::get<model::Estimated>(other.problem->parameters[0].value).guess, 0.7);
}

TEST(Setup, SeesTheNoiseOfAStartThatWasEvaluatedWithoutTrajectories) {
  const model::Problem problem = test::predator_prey();
  const estimate::Setup setup = make_setup(problem, {});
  nlp::Blocks blocks;
  std::vector<shooting::ShootingProblem::Predicted> at_start;
  ASSERT_TRUE(setup.shooting->values(setup.start, {}, blocks, at_start).ok);
  const long before = setup.shooting->work().trajectories;
  foresee_noise(setup, at_start);
  EXPECT_EQ(setup.shooting->work().trajectories, before);
}

}  // namespace
}  // namespace salvo::fit
