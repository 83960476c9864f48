#include "fit/initial_guesses.hpp"

#include <gtest/gtest.h>

#include "helpers/problems.hpp"

namespace salvo::fit {
namespace {

// x' = -k x, seen as it is: the first measurement is at the start, and a fit begins there.
TEST(InitialGuesses, AreThoseWhereAFitWouldBegin) {
  test::Builder builder(test::Equations{{"x", "-k*x"}, {"y", "0"}});
  builder.parameter("k", test::estimated(0.5)).observable("seen", "x", "0.1").observable("other", "y", "0.1");
  builder.experiment("one", {model::Estimated{}, test::estimated(7)});
  builder.measure(0, 0, 0, 3).measure(0, 0, 1, 1.8).measure(0, 1, 1, 7);
  model::Problem problem = builder.build();
  guess_initial_values(problem);
  const auto& initial = problem.experiments[0].initial;
  ASSERT_TRUE(std::get<model::Estimated>(initial[0]).guess);
  EXPECT_NEAR(*std::get<model::Estimated>(initial[0]).guess, 3, 1e-9);
  EXPECT_EQ(std::get<model::Estimated>(initial[1]).guess, 7);  // what is stated stays
}

}  // namespace
}  // namespace salvo::fit
