#include "estimate/answer/integration_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "estimate/estimate.hpp"
#include "helpers/problems.hpp"
#include "integrate/integrator.hpp"

namespace salvo::estimate {
namespace {

// cos(2 t) over so many periods, measured exactly: estimates differ from the truth by errors of integration alone.
model::Problem oscillator(double periods, const std::string& noise) {
  test::Builder builder(test::Equations{{"x", "v"}, {"v", "-w^2*x"}});
  builder.parameter("w", test::estimated(1.99999)).observable("seen", "x", noise);
  builder.experiment(model::default_experiment, {test::estimated(0.9), std::string("0")});
  constexpr int measurements = 200;
  for (int k = 1; k <= measurements; ++k) {
    const double t = periods * std::numbers::pi * k / measurements;
    builder.measure(0, 0, t, std::cos(2 * t));
  }
  return builder.build();
}

double rtol_of(const Estimation& estimation) {
  return integrate::relative_tolerance(estimation.workspace->shooting_options().integrator);
}

TEST(IntegrationError, IsNotLookedAtWhereDataAreRough) {
  const model::Problem problem = oscillator(40, "0.01");
  const Estimation estimation = estimate(problem, {}, {});
  EXPECT_TRUE(is_proved(estimation.best.answer));
  EXPECT_FALSE(estimation.best.answer.certificate.integration);
  EXPECT_EQ(rtol_of(estimation), 1e-8);
}

// The closed form gives the error of the amplitude; its standard error is about sqrt(2/200) of the noise.
TEST(IntegrationError, IsAboutWhatEstimatesAreOffBy) {
  const model::Problem problem = oscillator(40, "3e-5");
  const Estimation estimation = estimate(problem, {}, {});
  const Answer& answer = estimation.best.answer;
  ASSERT_TRUE(is_proved(answer));
  ASSERT_TRUE(answer.certificate.integration);
  const double off = std::abs(answer.estimates[1] - 1) / (3e-5 * std::sqrt(2.0 / 200));
  EXPECT_GT(*answer.certificate.integration, off / 3);
  EXPECT_LT(*answer.certificate.integration, off * 10);
}

TEST(IntegrationError, IsFollowedDownByTheTolerance) {
  for (const char* noise : {"1e-5", "3e-6"}) {
    for (const auto& nodes : {std::optional<model::Nodes>{}, std::optional<model::Nodes>(model::NodesAtMeasurements{}),
                              std::optional<model::Nodes>(model::SingleInterval{})}) {
      const model::Problem problem = oscillator(160, noise);
      const Estimation estimation = estimate(problem, {.nodes = nodes}, {});
      const Answer& answer = estimation.best.answer;
      EXPECT_TRUE(is_proved(answer)) << answer.trouble;
      EXPECT_LT(rtol_of(estimation), 1e-8);
      EXPECT_NEAR(answer.estimates[1], 1, 0.05 * std::stod(noise) * std::sqrt(2.0 / 200));
    }
  }
}

// What finer trajectories have to correct is far less than what the whole fit has come by.
TEST(IntegrationError, FinerTrajectoriesBeginWhereRougherOnesEnded) {
  const model::Problem problem = oscillator(160, "1e-5");
  const Estimation rougher = estimate(problem, {.integrator = model::AutoIntegrator{.rtol = 2e-8}}, {});
  const Estimation estimation = estimate(problem, {}, {});
  const Answer& answer = estimation.best.answer;
  EXPECT_TRUE(is_proved(answer)) << answer.trouble;
  EXPECT_GT(estimation.refinements, 0);
  EXPECT_GT(answer.run.iterations, rougher.best.answer.run.iterations);
  EXPECT_LE(answer.run.iterations, rougher.best.answer.run.iterations + 6);
  const Estimation anew = estimate(problem, {.integrator = estimation.workspace->shooting_options().integrator}, {});
  EXPECT_LT(answer.work.trajectories, anew.best.answer.work.trajectories / 2);
  EXPECT_NEAR(answer.estimates[1], 1, 0.05 * 1e-5 * std::sqrt(2.0 / 200));
}

TEST(IntegrationError, IsToldWhereTheToleranceWasAskedFor) {
  const model::Problem problem = oscillator(160, "1e-5");
  const Estimation estimation = estimate(problem, {.integrator = model::AutoIntegrator{.rtol = 2e-8}}, {});
  EXPECT_FALSE(is_proved(estimation.best.answer));
  EXPECT_FALSE(estimation.best.answer.certificate.is_resolved);
  EXPECT_NE(estimation.best.answer.trouble.find("integration"), std::string::npos) << estimation.best.answer.trouble;
}

}  // namespace
}  // namespace salvo::estimate
