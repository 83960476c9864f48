#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "fits.hpp"

namespace salvo::fit {
namespace {

// The notorious problem with known initial values x(0) = (0, p): its solution is sin(p t) for every p, so the
// information on p is a closed form, while perturbations of the initial state grow like e^mu.
class NotoriousFromAKnownStart : public testing::TestWithParam<double> {};

TEST_P(NotoriousFromAKnownStart, HasTheErrorOfTheClosedForm) {
  test::Builder builder({{"x1", "x2"}, {"x2", "mu^2*x1 - (mu^2 + p^2)*sin(p*t)"}});
  builder.parameter("p", test::within(1, 0, 10)).parameter("mu", GetParam());
  builder.observable("x1_obs", "x1", "0.05").observable("x2_obs", "x2", "0.05");
  builder.experiment(model::default_experiment, {std::string("0"), std::string("p")});
  Random random(7);
  for (int j = 0; j <= 10; ++j) {
    const double t = 0.1 * j;
    const double phase = std::numbers::pi * t;
    builder.measure(0, 0, t, std::sin(phase) + 0.05 * random.normal());
    builder.measure(0, 1, t, std::numbers::pi * std::cos(phase) + 0.05 * random.normal());
  }
  const FitResult result = test::fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Estimate& p = test::estimate_of(result, "p");
  double information = 0;
  for (int j = 0; j <= 10; ++j) {
    const double t = 0.1 * j;
    const double by_p[2] = {t * std::cos(p.estimate * t),
                            std::cos(p.estimate * t) - p.estimate * t * std::sin(p.estimate * t)};
    information += (by_p[0] * by_p[0] + by_p[1] * by_p[1]) / (0.05 * 0.05);
  }
  const double error = 1 / std::sqrt(information);
  ASSERT_TRUE(p.standard_error) << result.message;
  EXPECT_NEAR(*p.standard_error, error, 0.05 * error);
  EXPECT_NEAR(p.estimate, std::numbers::pi, 4 * error);
}

INSTANTIATE_TEST_SUITE_P(Growth, NotoriousFromAKnownStart, testing::Values(5.0, 10.0));

// Beyond what the accuracy of integration can follow, no answer is claimed: nodes that let go of the known start would
// give a better fit than the equations allow.
TEST(KnownStart, IsNotLetGoWhereErrorsGrowTooMuch) {
  test::Builder builder({{"x1", "x2"}, {"x2", "mu^2*x1 - (mu^2 + p^2)*sin(p*t)"}});
  builder.parameter("p", test::within(1, 0, 10)).parameter("mu", 60.0);
  builder.observable("x1_obs", "x1", "0.05");
  builder.experiment(model::default_experiment, {std::string("0"), std::string("p")});
  Random random(7);
  for (int j = 0; j <= 10; ++j)
    builder.measure(0, 0, 0.1 * j, std::sin(0.1 * j * std::numbers::pi) + 0.05 * random.normal());
  const FitResult result = test::fit_of(builder.build());
  EXPECT_NE(result.status, Status::converged);
  EXPECT_NE(result.message.find("grow"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace salvo::fit
