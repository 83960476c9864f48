#include "salvo/objective.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "helpers/problems.hpp"
#include "helpers/samples.hpp"
#include "salvo/builder.hpp"
#include "salvo/fit.hpp"

namespace salvo {
namespace {

// Near the guesses, but at none of them.
std::vector<double> somewhere(const Objective& objective) {
  std::vector<double> x = objective.guess();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.01 * (1 + static_cast<double>(i % 3));
  return x;
}

// From the guess of predator and prey no trajectory reaches its end.
std::vector<test::Sample> problems() {
  std::vector<test::Sample> all = test::samples();
  for (test::Sample& sample : all)
    for (model::Parameter& parameter : sample.problem.parameters)
      if (auto* estimated = std::get_if<Estimated>(&parameter.value); estimated && sample.name.starts_with("predator"))
        estimated->guess = 0.95;
  return all;
}

Objective objective_of(const model::Problem& problem, const ObjectiveOptions& options = {}) {
  auto made = Objective::make(problem, options);
  EXPECT_TRUE(made);
  return *made;
}

TEST(Objective, NamesItsQuantitiesWithScalesBoundsAndGuesses) {
  const Objective objective = objective_of(test::rich_problem());
  std::vector<std::string> names;
  for (const Objective::Quantity& quantity : objective.quantities()) names.push_back(quantity.id);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "noise", "one:w", "one:u", "two:w"}));
  const Objective::Quantity& b = objective.quantities()[1];
  EXPECT_EQ(b.scale, model::Scale::log10);
  EXPECT_NEAR(b.lower, -2, 1e-15);
  EXPECT_NEAR(b.upper, std::log10(20.0), 1e-15);
  EXPECT_NEAR(b.guess, std::log10(0.7), 1e-15);
}

TEST(Objective, HasTheGradientOfItsValue) {
  for (const test::Sample& sample : problems()) {
    SCOPED_TRACE(sample.name);
    const Objective objective =
        objective_of(sample.problem, {.integrator = model::Dopri5{.rtol = 1e-11, .atol = 1e-12}});
    const std::vector<double> x = somewhere(objective);
    std::vector<double> gradient(x.size());
    double value = 0, with_gradient = 0;
    ASSERT_TRUE(objective.value(x, value));
    ASSERT_TRUE(objective.gradient(x, with_gradient, gradient));
    EXPECT_EQ(value, with_gradient);
    constexpr double h = 1e-5;
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<double> up = x, down = x;
      up[i] += h;
      down[i] -= h;
      double above = 0, below = 0;
      ASSERT_TRUE(objective.value(up, above));
      ASSERT_TRUE(objective.value(down, below));
      EXPECT_NEAR(gradient[i], (above - below) / (2 * h), 1e-5 * (1 + std::abs(gradient[i]))) << i;
    }
  }
}

TEST(Objective, HasAJacobianThatMakesTheGradientAndTheInformation) {
  for (const test::Sample& sample : problems()) {
    SCOPED_TRACE(sample.name);
    const Objective objective = objective_of(sample.problem);
    const std::vector<double> x = somewhere(objective);
    std::vector<double> gradient(x.size()), rows, alone;
    double value = 0;
    Matrix J, fisher;
    ASSERT_TRUE(objective.gradient(x, value, gradient));
    ASSERT_TRUE(objective.jacobian(x, rows, J));
    ASSERT_TRUE(objective.rows(x, alone));
    ASSERT_TRUE(objective.fisher(x, fisher));
    EXPECT_EQ(rows, alone);
    ASSERT_EQ(static_cast<int>(rows.size()), objective.rows());
    ASSERT_EQ(J.rows, objective.rows());
    for (int i = 0; i < J.cols; ++i) {
      double sum = 0;
      for (int n = 0; n < J.rows; ++n) sum += J(n, i) * rows[n];
      EXPECT_NEAR(sum, gradient[i], 1e-9 * (1 + std::abs(gradient[i]))) << i;
      for (int k = 0; k < J.cols; ++k) {
        double product = 0;
        for (int n = 0; n < J.rows; ++n) product += J(n, i) * J(n, k);
        EXPECT_NEAR(fisher(i, k), product, 1e-9 * (1 + std::abs(product))) << i << ", " << k;
      }
    }
  }
}

// y = a t + b with known sigmas: L is a parabola, whose second derivatives are sums over the measurements.
TEST(Objective, HasTheHessianOfAParabola) {
  ProblemBuilder builder;
  const Formula a = builder.parameter("a", Estimated{.guess = 0.3}), x = builder.state("x");
  builder.equation(x, a).initial(x, Estimated{.guess = 2}).observable("y", x, {.noise = 0.5});
  for (const double t : {1.0, 2.0, 4.0}) builder.measure("y", t, 1);
  const Objective objective = objective_of(*builder.build());
  Matrix hessian;
  ASSERT_TRUE(objective.hessian(objective.guess(), hessian));
  EXPECT_NEAR(hessian(0, 0), (1 + 4 + 16) / 0.25, 1e-4);
  EXPECT_NEAR(hessian(0, 1), (1 + 2 + 4) / 0.25, 1e-4);
  EXPECT_EQ(hessian(0, 1), hessian(1, 0));
  EXPECT_NEAR(hessian(1, 1), 3 / 0.25, 1e-4);
}

TEST(Objective, HasTheHessianOfItsValue) {
  const Objective objective =
      objective_of(test::rich_problem(), {.integrator = model::Dopri5{.rtol = 1e-12, .atol = 1e-13}});
  const std::vector<double> x = somewhere(objective);
  Matrix hessian;
  ASSERT_TRUE(objective.hessian(x, hessian));
  constexpr double h = 1e-3;
  const auto value_at = [&](std::size_t i, double along_i, std::size_t k, double along_k) {
    std::vector<double> at = x;
    at[i] += along_i;
    at[k] += along_k;
    double value = 0;
    EXPECT_TRUE(objective.value(at, value));
    return value;
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      const double difference =
          (value_at(i, h, k, h) - value_at(i, h, k, -h) - value_at(i, -h, k, h) + value_at(i, -h, k, -h)) / (4 * h * h);
      EXPECT_NEAR(hessian(static_cast<int>(i), static_cast<int>(k)), difference, 1e-3 * (1 + std::abs(difference)));
    }
}

TEST(Objective, AgreesWithEvaluateBitForBit) {
  for (const test::Sample& sample : problems()) {
    SCOPED_TRACE(sample.name);
    const Objective objective = objective_of(sample.problem, {.expected_calls = 1});
    const std::vector<double> x = objective.guess();
    const fit::EvaluateResult said = fit::evaluate(sample.problem, {.gradient = true, .jacobian = true});
    ASSERT_TRUE(said.ok) << said.message;
    std::vector<Objective::Simulation> simulations;
    ASSERT_TRUE(objective.simulate(x, simulations));
    ASSERT_EQ(simulations.size(), said.simulations.size());
    for (std::size_t i = 0; i < simulations.size(); ++i)
      EXPECT_EQ(simulations[i].value, said.simulations[i].simulation);
    std::vector<double> rows;
    Matrix J;
    ASSERT_TRUE(objective.jacobian(x, rows, J));
    ASSERT_EQ(J.cols, said.jacobian.cols);
    for (int n = 0; n < said.jacobian.rows; ++n) {
      EXPECT_EQ(rows[n], said.rows[n]);
      for (int i = 0; i < J.cols; ++i) EXPECT_EQ(J(n, i), said.jacobian(n, i));
    }
    std::vector<std::string> estimated;
    for (const auto& parameter : said.parameters)
      if (parameter.estimated) estimated.push_back(parameter.id);
    ASSERT_EQ(estimated.size(), objective.quantities().size());
    for (std::size_t i = 0; i < estimated.size(); ++i) EXPECT_EQ(estimated[i], objective.quantities()[i].id);
  }
}

TEST(Objective, IsLowestWhereTheFitEnds) {
  const model::Problem problem = test::predator_prey();
  const FitResult fitted = fit::fit(problem, {}, {});
  ASSERT_EQ(fitted.status, Status::converged);
  const Objective objective = objective_of(problem);
  std::vector<double> x;
  for (const auto& estimate : fitted.parameters) x.push_back(estimate.estimate);
  for (const auto& estimate : fitted.initial) x.push_back(estimate.estimate);
  double value = 0;
  std::vector<double> gradient(x.size());
  ASSERT_TRUE(objective.gradient(x, value, gradient));
  EXPECT_NEAR(value, fitted.objective, 1e-6);
  for (const double slope : gradient) EXPECT_NEAR(slope, 0, 1e-2);
}

TEST(Objective, GivesTheSameBitsToEveryThread) {
  const Objective objective = objective_of(test::rich_problem());
  const std::vector<double> x = somewhere(objective);
  const auto all = [&](bool elsewhere_first) {
    std::vector<double> numbers, rows, gradient(x.size());
    double value = 0;
    Matrix J, fisher;
    const Objective::Status elsewhere = objective.value(elsewhere_first ? objective.guess() : x, value);
    EXPECT_TRUE(elsewhere) << elsewhere.message;
    EXPECT_TRUE(objective.gradient(x, value, gradient));
    EXPECT_TRUE(objective.jacobian(x, rows, J));
    EXPECT_TRUE(objective.fisher(x, fisher));
    numbers.push_back(value);
    for (const auto* part : {&gradient, &rows, &J.data, &fisher.data})
      numbers.insert(numbers.end(), part->begin(), part->end());
    return numbers;
  };
  const std::vector<double> expected = all(false);
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < found.size(); ++n) threads.emplace_back([&, n] { found[n] = all(n % 2 == 0); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& numbers : found) EXPECT_EQ(numbers, expected);
}

TEST(Objective, SaysWhyItHasNoValueAndLeavesTheNumbersAlone) {
  const Objective objective = objective_of(test::predator_prey());
  double value = 7;
  std::vector<double> gradient{1, 2, 3, 4, 5, 6};
  const std::vector<double> wild{0.5, 0.5, 0.5, -0.2, 0.4, 1};
  const Objective::Status failed = objective.gradient(wild, value, gradient);
  EXPECT_FALSE(failed);
  EXPECT_NE(failed.message.find("t = 3.306"), std::string::npos) << failed.message;
  EXPECT_EQ(value, 7);
  EXPECT_EQ(gradient, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(objective.value(std::vector<double>{1, 2}, value).message, "2 values are given, but there are 6");
  std::vector<double> x = objective.guess();
  x[2] = std::nan("");
  EXPECT_EQ(objective.value(x, value).message, "the value of p3 is not a finite number");
}

// A node where a constraint holds must not cut a trajectory in two.
TEST(Objective, LeavesConstraintsToTheOptimiser) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.7)).observable("seen", "x", "0.1");
  builder.experiment("default", {std::string("1")}).measure(0, 0, 1, 0.5).measure(0, 0, 2, 0.3);
  const model::Problem free = builder.build();
  model::Problem constrained = free;
  constrained.constraints.push_back({.formula = constrained.graph.symbol("x"), .is_equality = false, .text = "x <= 0"});
  double value = 0, other = 0;
  std::vector<double> gradient(1), other_gradient(1);
  ASSERT_TRUE(objective_of(free).gradient(std::vector{0.6}, value, gradient));
  ASSERT_TRUE(objective_of(constrained).gradient(std::vector{0.6}, other, other_gradient));
  EXPECT_EQ(value, other);
  EXPECT_EQ(gradient, other_gradient);
  EXPECT_EQ(fit::evaluate(constrained, {.gradient = true}).gradient, fit::evaluate(free, {.gradient = true}).gradient);
}

TEST(Objective, RefusesWhatCannotBeEvaluated) { EXPECT_FALSE(Objective::make(model::Problem{})); }

}  // namespace
}  // namespace salvo
