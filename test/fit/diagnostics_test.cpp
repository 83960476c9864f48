#include "fit/diagnostics.hpp"

#include "fits.hpp"

// Data may be long: what a fit and a check do with them, they do once.
namespace salvo::fit {
namespace {

TEST(Diagnostics, SeeTheNoiseOfAStartThatWasEvaluatedWithoutTrajectories) {
  const model::Problem problem = test::predator_prey();
  const Workspace workspace(problem, {});
  const estimate::Setup setup = make_setup(workspace);
  nlp::Blocks blocks;
  std::vector<shooting::ShootingProblem::Predicted> at_start;
  ASSERT_TRUE(setup.shooting->values(setup.start, {}, blocks, at_start).ok);
  const long before = setup.shooting->work().trajectories;
  diagnose_noise(setup, at_start);
  EXPECT_EQ(setup.shooting->work().trajectories, before);
}

}  // namespace
}  // namespace salvo::fit
