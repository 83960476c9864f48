#include "fit/initial_guesses.hpp"

#include <gtest/gtest.h>

#include "fit/evaluate.hpp"
#include "helpers/problems.hpp"

namespace salvo::fit {
namespace {

TEST(InitialGuesses, LeaveTheLikelihoodAsItIs) {
  test::Builder builder(test::Equations{{"x", "-k*x"}, {"y", "0"}});
  builder.parameter("k", test::estimated(0.5)).observable("seen", "x", "0.1").observable("other", "y", "0.1");
  builder.experiment("one", {model::Estimated{}, test::estimated(7)});
  builder.measure(0, 0, 0, 3).measure(0, 0, 1, 1.8).measure(0, 1, 1, 7);
  model::Problem problem = builder.build();
  const double before = evaluate(problem, {}).llh;
  guess_initial_values(problem);
  const auto& initial = problem.experiments[0].initial;
  EXPECT_TRUE(std::get<model::Estimated>(initial[0]).guess);
  EXPECT_EQ(std::get<model::Estimated>(initial[1]).guess, 7);  // what is stated stays
  EXPECT_EQ(evaluate(problem, {}).llh, before);
}

}  // namespace
}  // namespace salvo::fit
