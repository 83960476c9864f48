#include <map>

#include "base/random.hpp"
#include "fits.hpp"

namespace salvo::fit {
namespace {

using test::estimate_of;
using test::fit_of;

// Perturbations grow like e^mu over the data, which is growth and not information.
TEST(NotoriousProblem, StandardErrorIsThatOfTheDataNotOfTheGrowth) {
  const double data[11][2] = {{0.06301, 3.152752},   {0.375644, 2.916922}, {0.574145, 2.544941},  {0.821568, 1.860216},
                              {0.863031, 1.025204},  {0.971873, 0.029206}, {0.970296, -0.948355}, {0.813288, -1.779949},
                              {0.542902, -2.565633}, {0.268167, -2.83888}, {0.059364, -3.167265}};
  test::Builder builder = test::notorious("20");
  for (int j = 0; j <= 10; ++j) builder.measure(0, 0, 0.1 * j, data[j][0]).measure(0, 1, 0.1 * j, data[j][1]);
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  // Two independent computations agree on these numbers to 2e-13.
  EXPECT_NEAR(estimate_of(result, "p").estimate, 3.1187997698, 1e-6);
  EXPECT_NEAR(result.chi2, 19.9717802221, 1e-5);
  EXPECT_NEAR(*estimate_of(result, "p").standard_error, 0.0101808, 1e-5);
  EXPECT_NEAR(*estimate_of(result, "x2").standard_error, 0.0494885, 1e-5);
  EXPECT_TRUE(result.null_directions.empty());
}

TEST(NotoriousProblem, CanBeSolvedWithMuSixty) {
  Random random(60);
  test::Builder builder = test::notorious("60");
  const double pi = M_PI;
  for (int j = 0; j <= 20; ++j) {
    const double t = 0.05 * j;
    builder.measure(0, 0, t, std::sin(pi * t) + 0.05 * random.normal());
    builder.measure(0, 1, t, pi * std::cos(pi * t) + 0.05 * random.normal());
  }
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Estimate& p = estimate_of(result, "p");
  EXPECT_GT(*p.standard_error, 4e-3);
  EXPECT_LT(*p.standard_error, 1.2e-2);
  EXPECT_LE(std::abs(p.estimate - pi), 4 * *p.standard_error);
}

// Seeing x1 only, x2 -> c x2 with p2 -> p2 / c changes nothing.
TEST(NullDirection, IsNamedAndItsMembersHaveNoErrors) {
  test::Builder builder = test::predator_prey_without_data(test::estimated(0.4), test::estimated(1));
  for (const model::Measurement& m : test::predator_prey().measurements)
    if (m.observable == 0) builder.measure(0, 0, m.time, m.value);
  const FitResult result = fit_of(builder.build(), {.guess = test::predator_prey_truth});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  ASSERT_EQ(result.null_directions.size(), 1u);
  std::map<std::string, double> parts;
  for (const auto& [id, coefficient] : result.null_directions[0].parts) parts[id] = coefficient;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_NEAR(parts.at("x2"), -parts.at("p2"), 1e-4);
  EXPECT_EQ(std::abs(parts.at("p2")), 1);
  for (const std::string id : {"p2", "x2"}) {
    EXPECT_FALSE(estimate_of(result, id).identifiable) << id;
    EXPECT_FALSE(estimate_of(result, id).standard_error) << id;
  }
  for (const std::string id : {"p1", "p3", "p4", "x1"}) {
    EXPECT_TRUE(estimate_of(result, id).identifiable) << id;
    EXPECT_GT(estimate_of(result, id).standard_error.value_or(0), 0) << id;
  }
  EXPECT_NE(result.message.find("p2"), std::string::npos) << result.message;
  EXPECT_EQ(result.degrees_of_freedom, 11 - 5);
}

// Of ten rates only the sum is seen: nine directions, of which a message tells two, and of these six parts.
TEST(NullDirection, OfManyAMessageTellsAFew) {
  std::string sum = "p0";
  for (int k = 1; k < 10; ++k) sum += "+p" + std::to_string(k);
  test::Builder builder(test::Equations{{"x", "-(" + sum + ")*x"}});
  for (int k = 0; k < 10; ++k) builder.parameter("p" + std::to_string(k), test::estimated(0.05 + 0.01 * k));
  builder.observable("seen", "x", "0.01").experiment(model::default_experiment, {"1"});
  for (const auto& [time, value] : {std::pair{0.5, 0.6}, {1.0, 0.38}, {2.0, 0.13}}) builder.measure(0, 0, time, value);
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  ASSERT_EQ(result.null_directions.size(), 9u);
  EXPECT_NE(result.message.find(" 7 other directions are not identifiable either"), std::string::npos)
      << result.message;
  EXPECT_LT(result.message.size(), 500u) << result.message;
}

TEST(Bound, HoldsAParameterAndTheOthersAreConditional) {
  model::Problem problem = test::predator_prey();
  std::get<model::Estimated>(problem.parameters[0].value).upper = 0.9;
  const FitResult bounded = fit_of(problem);
  ASSERT_EQ(bounded.status, Status::converged) << bounded.message;
  EXPECT_EQ(bounded.parameters[0].estimate, 0.9);
  EXPECT_EQ(bounded.parameters[0].at_bound, AtBound::upper);
  EXPECT_FALSE(bounded.parameters[0].standard_error);
  EXPECT_NE(bounded.message.find("p1"), std::string::npos) << bounded.message;

  model::Problem fixed = test::predator_prey();
  fixed.parameters[0].value = 0.9;
  const FitResult conditional = fit_of(fixed);
  for (int k = 1; k < 4; ++k) {
    EXPECT_NEAR(bounded.parameters[k].estimate, conditional.parameters[k - 1].estimate, 1e-7) << k;
    EXPECT_NEAR(*bounded.parameters[k].standard_error, *conditional.parameters[k - 1].standard_error, 1e-6) << k;
  }
}

TEST(Bound, HoldsAnInitialValueToo) {
  test::Builder builder = test::decay(test::estimated(0.5), test::within(1, 0, 1.5));
  for (int j = 0; j <= 4; ++j) builder.measure(0, 0, j, 2 * std::exp(-0.4 * j));
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_EQ(result.initial.at(0).estimate, 1.5);
  EXPECT_EQ(result.initial.at(0).at_bound, AtBound::upper);
}

TEST(Scales, GiveTheSameEstimateAndErrors) {
  model::Problem logarithmic = test::predator_prey();
  for (model::Parameter& parameter : logarithmic.parameters)
    parameter.value = test::estimated(0.8, parameter.id == "p2" ? model::Scale::log10 : model::Scale::log);
  const FitResult result = fit_of(logarithmic);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const FitResult linear = fit_of(test::predator_prey());
  EXPECT_LE(test::distance(test::estimates(result), test::predator_prey_p), 1e-6);
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(*result.parameters[k].standard_error, *linear.parameters[k].standard_error, 1e-6) << k;
    const auto [low, high] = *result.parameters[k].interval;  // formed on the scale: a ratio either way
    EXPECT_NEAR(low * high, std::pow(result.parameters[k].estimate, 2), 1e-9) << k;
  }
}

}  // namespace
}  // namespace salvo::fit
