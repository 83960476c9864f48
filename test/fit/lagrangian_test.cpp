#include "estimate/plan/method_choice.hpp"
#include "fits.hpp"

// The method for very many parameters must also solve what the others solve.
namespace salvo::fit {
namespace {

using test::distance;
using test::estimates;
using test::fit_of;

const Options lagrangian{.method = model::Method::lagrangian};

TEST(Lagrangian, FindsTheMaximumLikelihoodEstimates) {
  const FitResult complete = fit_of(test::predator_prey(), lagrangian);
  EXPECT_EQ(complete.status, Status::converged) << complete.message;
  EXPECT_LE(distance(estimates(complete), test::predator_prey_p), 1e-6);
  EXPECT_LE(complete.gap, 1e-8);
  const FitResult partial = fit_of(test::predator_prey_partial(), lagrangian);
  EXPECT_EQ(partial.status, Status::converged) << partial.message;
  EXPECT_LE(distance(estimates(partial), test::predator_prey_partial_p), 1e-6);
}

TEST(Lagrangian, GivesTheSameBitsForAnyNumberOfThreads) {
  Options three = lagrangian;
  three.threads = 3;
  EXPECT_EQ(estimates(fit_of(test::predator_prey(), lagrangian)), estimates(fit_of(test::predator_prey(), three)));
}

// Noise estimated, a prior, a bound in the way: the answers of gauss-newton.
TEST(Lagrangian, AgreesWithGaussNewtonOnNoisePriorsAndBounds) {
  model::Problem problem = test::predator_prey();
  const model::NodeId sigma = problem.graph.symbol("sigma");
  problem.parameters.push_back({"sigma", sigma, test::estimated(0.1, model::Scale::log)});
  for (model::Observable& observable : problem.observables) observable.noise = sigma;
  std::get<model::Estimated>(problem.parameters[0].value).prior = model::Prior{.location = 1.1, .spread = 0.05};
  std::get<model::Estimated>(problem.parameters[2].value).upper = 0.9;
  const FitResult a = fit_of(problem, lagrangian);
  const FitResult b = fit_of(problem, {.method = model::Method::gauss_newton});
  ASSERT_EQ(a.status, Status::converged) << a.message;
  ASSERT_EQ(b.status, Status::converged) << b.message;
  EXPECT_LE(distance(estimates(a), estimates(b)), 1e-6);
  EXPECT_NEAR(a.objective, b.objective, 1e-7);
  EXPECT_EQ(test::estimate_of(a, "p3").at_bound, AtBound::upper);
}

// Many values at each time cost both methods their squares, and are no reason to leave gauss-newton.
TEST(Lagrangian, IsNotChosenForReplicates) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).observable("y", "x", "0.1").experiment(model::default_experiment, {"1"});
  constexpr int times = 100;
  for (int replicate = 0; replicate < 700; ++replicate)
    for (int i = 1; i <= times; ++i) builder.measure(0, 0, 0.04 * i, 0.5);
  const model::Problem problem = builder.build();
  EXPECT_EQ(choose_method(problem, *compile::compile(problem), times, {}).method, model::Method::gauss_newton);
}

// With so many iterations to pay for, three parameters are too many for a matrix: the method needs none, and what it
// finds fits, but nobody has looked along what the datum does not see.
TEST(Lagrangian, IsTakenForFarMoreParametersThanDataAndNotCalledAMinimum) {
  test::Builder builder(test::Equations{{"x", "a + b + c - x"}});
  builder.parameter("a", test::estimated(1)).parameter("b", test::estimated(1)).parameter("c", test::estimated(1));
  builder.observable("y", "x", "0.1").experiment("e", {std::string("1")});
  const model::Problem problem = builder.measure(0, 0, 1, 2).build();
  Options options;
  EXPECT_EQ(fit(problem, options, {}).method, model::Method::gauss_newton);
  options.rules.account.iterations = 2'000'000'000;
  const FitResult result = fit(problem, options, {});
  EXPECT_EQ(result.method, model::Method::lagrangian);
  EXPECT_LT(result.chi2, 1e-6);
  EXPECT_NE(result.status, Status::converged);
  EXPECT_NE(result.message.find("too many parameters, for so few data"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace salvo::fit
