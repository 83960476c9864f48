#include "estimate/ways/setup.hpp"

#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

// Data may be long.
TEST(Workspace, CopiesAProblemOnlyForOtherGuesses) {
  const model::Problem problem = test::predator_prey();
  EXPECT_EQ(&Workspace(problem, {}).problem(), &problem);
  const Workspace other(problem, {.guess = {{"p1", 0.7}}});
  EXPECT_NE(&other.problem(), &problem);
  EXPECT_EQ(std::get<model::Estimated>(other.problem().parameters[0].value).guess, 0.7);
}

}  // namespace
}  // namespace salvo::estimate
