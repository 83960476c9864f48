#include "base/random.hpp"
#include "fits.hpp"

namespace salvo::fit {
namespace {

using test::distance;
using test::estimates;
using test::fit_of;

// Lorenz-96 with a forcing at every site: 2 d columns in every link.
model::Problem many_columns(int d) {
  test::Equations equations;
  const auto x = [d](int i) { return "x" + std::to_string((i + d) % d); };
  for (int i = 0; i < d; ++i)
    equations.push_back(
        {x(i), "(" + x(i + 1) + " - " + x(i - 2) + ")*" + x(i - 1) + " - " + x(i) + " + F" + std::to_string(i)});
  test::Builder builder(equations);
  std::map<std::string, double> truth;
  for (int i = 0; i < d; ++i) {
    builder.parameter("F" + std::to_string(i), test::estimated(5));
    truth["F" + std::to_string(i)] = 8 + std::sin(i);
  }
  std::vector<std::variant<std::string, model::Estimated>> initial;
  for (int i = 0; i < d; ++i) {
    builder.observable("y" + std::to_string(i), x(i), "0.2");
    initial.push_back(test::estimated(3 + 2 * std::cos(i)));
    truth[x(i)] = 3 + 2 * std::cos(i);
  }
  builder.experiment(model::default_experiment, initial);
  for (int j = 0; j <= 12; ++j)
    for (int i = 0; i < d; ++i) builder.measure(0, i, 0.05 * j, 0);
  model::Problem problem = test::without_noise(builder.build(), truth);
  Random random(9);
  for (model::Measurement& measurement : problem.measurements) measurement.value += 0.2 * random.normal();
  return problem;
}

TEST(RoughSearch, EndsWithTheEstimatesOfAPreciseOne) {
  const model::Integrator exact = model::Dopri5{1e-11, 1e-13};
  const FitResult usual = fit_of(test::predator_prey());
  const FitResult precise = fit_of(test::predator_prey(), {.integrator = exact});
  ASSERT_EQ(usual.status, Status::converged) << usual.message;
  ASSERT_EQ(precise.status, Status::converged) << precise.message;
  EXPECT_LE(distance(estimates(usual), estimates(precise)), 1e-6);
  EXPECT_LE(distance(estimates(precise), test::predator_prey_p), 1e-8);
}

TEST(FrozenSteps, AgreeWithAnotherMethodOnManyColumns) {
  const model::Problem problem = many_columns(10);
  const FitResult closed = fit_of(problem, {.method = model::Method::gauss_newton});
  const FitResult other = fit_of(problem, {.method = model::Method::lagrangian, .tolerance = 1e-9});
  ASSERT_EQ(closed.status, Status::converged) << closed.message;
  ASSERT_EQ(other.status, Status::converged) << other.message;
  EXPECT_LE(distance(estimates(closed), estimates(other)), 1e-6);
  EXPECT_NEAR(closed.objective, other.objective, 1e-6);  // multipliers of 10 times gaps of 1e-8
  EXPECT_LE(closed.trace.back().step, 1e-8);
  EXPECT_LE(closed.gap, 1e-8);
}

// Without them, every iteration would sweep all columns; with them the last ones sweep one.
TEST(FrozenSteps, TakeFewSweeps) {
  const model::Problem problem = many_columns(10);
  const FitResult result =
      fit_of(problem, {.method = model::Method::gauss_newton, .nodes = model::NodesAtMeasurements{}});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  constexpr int links = 12;
  constexpr int columns = 10;  // adjoints of a link
  const double linearizations = static_cast<double>(result.work.adjoints + result.work.tangents) / (links * columns);
  EXPECT_GE(result.iterations, 5);
  EXPECT_LE(linearizations, result.iterations - 1);
}

TEST(FrozenSteps, GiveTheSameBitsForAnyNumberOfThreads) {
  const model::Problem problem = many_columns(10);
  EXPECT_EQ(estimates(fit_of(problem, {.threads = 1})), estimates(fit_of(problem, {.threads = 3})));
}

}  // namespace
}  // namespace salvo::fit
