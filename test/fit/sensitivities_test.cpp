#include "fit/sensitivities.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/problems.hpp"
#include "helpers/samples.hpp"

namespace salvo::fit {
namespace {

// x' = -k x from x(0) = c, so that x = c exp(-k t), dx/dk = -t x and, k being on a logarithmic scale, dx/dln k = -k t
// x.
TEST(Sensitivities, AreThoseOfTheClosedForm) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.7, model::Scale::log)).parameter("gain", test::estimated(3));
  builder.observable("seen", "gain*x", "0.1");
  builder.experiment("one", {test::estimated(2)});
  builder.measure(0, 0, 1, 1);
  const model::Problem problem = builder.build();
  const SimulateOptions options{.at = {0, 0.5, 2}, .integrator = model::Dopri5{.rtol = 1e-11, .atol = 1e-12}};
  const SimulateResult simulated = simulate(problem, options);
  ASSERT_TRUE(simulated.ok);
  const Sensitivities found = sensitivities(problem, options, simulated.experiments);
  ASSERT_TRUE(found.ok) << found.message;
  EXPECT_EQ(found.ids, (std::vector<std::string>{"k", "gain", "x"}));
  const Matrix& by = found.by_experiment.at(0);
  for (int n = 0; n < 3; ++n) {
    const double t = options.at[n], x = 2 * std::exp(-0.7 * t);
    EXPECT_NEAR(by(2 * n, 0), -0.7 * t * x, 1e-9);
    EXPECT_NEAR(by(2 * n, 1), 0, 1e-9);
    EXPECT_NEAR(by(2 * n, 2), x / 2, 1e-9);
    EXPECT_NEAR(by(2 * n + 1, 0), -3 * 0.7 * t * x, 1e-9);
    EXPECT_NEAR(by(2 * n + 1, 1), x, 1e-9);
  }
}

TEST(Sensitivities, AreThoseOfDifferencesWithSeveralExperiments) {
  const model::Problem problem = test::rich_problem();
  SimulateOptions options{.at = {0.5, 1.1, 2.4}, .integrator = model::Dopri5{.rtol = 1e-11, .atol = 1e-12}};
  const SimulateResult simulated = simulate(problem, options);
  const Sensitivities found = sensitivities(problem, options, simulated.experiments);
  ASSERT_TRUE(found.ok) << found.message;
  const auto column = std::find(found.ids.begin(), found.ids.end(), "b") - found.ids.begin();
  constexpr double h = 1e-5;
  std::vector<SimulateResult> ends;
  for (const double side : {-h, h}) {
    options.values = {{"b", 0.7 * std::pow(10, side)}};
    ends.push_back(simulate(problem, options));
  }
  const int names = static_cast<int>(problem.states.size() + problem.observables.size());
  for (std::size_t e = 0; e < 2; ++e)
    for (int n = 0; n < 3; ++n)
      for (int i = 0; i < static_cast<int>(problem.states.size()); ++i) {
        const double difference = (ends[1].experiments[e].states(i, n) - ends[0].experiments[e].states(i, n)) / (2 * h);
        EXPECT_NEAR(found.by_experiment[e](n * names + i, static_cast<int>(column)), difference, 1e-6);
      }
}

}  // namespace
}  // namespace salvo::fit
