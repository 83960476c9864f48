#include <gtest/gtest.h>

#include <cmath>

#include "helpers/problems.hpp"
#include "integrate/delayed/modes.hpp"
#include "integrate/steady_state.hpp"

// Steady states of equations that look into their own past.
namespace salvo::integrate {
namespace {

using Numbers = std::vector<double>;

std::shared_ptr<const compile::CompiledModel> resting(const test::Equations& equations,
                                                      const std::vector<std::string>& parameters) {
  test::Builder builder(equations);
  for (const std::string& id : parameters) builder.parameter(id, test::estimated(1));
  std::vector<std::variant<std::string, model::Estimated>> initial(equations.size(), std::string("0"));
  model::Problem problem = builder.experiment("default", initial).build();
  problem.experiments[0].equilibrate = model::Equilibration{};
  return compile::compile(problem)->resting->model;
}

SteadyState rest_of(const compile::CompiledModel& model, const Numbers& x0, Numbers p, bool with_derivatives = false) {
  p.resize(static_cast<std::size_t>(model.parameters));  // truth values and delayed ones stand behind
  return steady_state(model, x0, p, with_derivatives);
}

TEST(RestWithDelays, IsWhereTheEquationStandsStill) {
  const auto model = resting({{"x", "a - k*delay(x, tau)"}, {"y", "delay(x, tau) - y"}}, {"a", "k", "tau"});
  const SteadyState state = rest_of(*model, {0, 0}, {2, 0.8, 0.9}, true);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 2.5, 1e-12);
  EXPECT_NEAR(state.x[1], 2.5, 1e-12);
  EXPECT_NEAR(state.by_p(1, 0), 1 / 0.8, 1e-10);
  EXPECT_NEAR(state.by_p(1, 1), -2 / 0.64, 1e-10);
  EXPECT_NEAR(state.by_p(1, 2), 0, 1e-12);
}

// Without the delay it would come to rest for every k; with it, from k tau = pi/2 on it does not.
TEST(RestWithDelays, DoesNotExistWhereTheDelayMakesItOscillate) {
  const auto model = resting({{"x", "a - k*delay(x, tau)"}}, {"a", "k", "tau"});
  EXPECT_TRUE(rest_of(*model, {0}, {2, 1.5, 1}).is_found);
  EXPECT_FALSE(rest_of(*model, {0}, {2, 1.65, 1}).is_found);
  EXPECT_FALSE(rest_of(*model, {2 / 1.65}, {2, 1.65, 1}).is_found);  // which it leaves as soon as anything moves
  const auto hutchinson = resting({{"N", "r*N*(1 - delay(N, tau)/K)"}}, {"r", "tau", "K"});
  EXPECT_NEAR(rest_of(*hutchinson, {2}, {0.9, 1.5, 10}).x[0], 10, 1e-10);
  EXPECT_FALSE(rest_of(*hutchinson, {2}, {1.2, 1.5, 10}).is_found);
}

// What is on its way from a to b at the start arrives, too: it has been leaving a for ever.
TEST(RestWithDelays, HasWhatWasOnItsWay) {
  const auto model = resting({{"a", "-k*a"}, {"b", "k*delay(a, tau)"}}, {"k", "tau"});
  const SteadyState state = rest_of(*model, {3, 1}, {0.7, 1.4}, true);
  ASSERT_TRUE(state.is_found);
  EXPECT_NEAR(state.x[0], 0, 1e-8);
  EXPECT_NEAR(state.x[1], 1 + 3 * (1 + 0.7 * 1.4), 1e-7);
  EXPECT_NEAR(state.by_p(1, 0), 3 * 1.4, 1e-6);
  EXPECT_NEAR(state.by_p(1, 1), 3 * 0.7, 1e-6);
  EXPECT_NEAR(state.by_x0(1, 0), 1 + 0.7 * 1.4, 1e-6);
  EXPECT_NEAR(state.by_x0(1, 1), 1, 1e-6);
}

// lambda = W(-k tau)/tau for k tau < 1/e; at k tau = pi/2 it is i pi/(2 tau).
TEST(RestWithDelays, HasTheModesOfItsEquation) {
  const auto model = resting({{"x", "-k*delay(x, tau)"}, {"y", "-3*y"}}, {"k", "tau"});
  const auto rightmost = [&](double k, double tau) {
    Numbers p{k, tau};
    p.resize(static_cast<std::size_t>(model->parameters));
    const auto modes = delayed_modes(*model, std::vector{tau}, p, Eigen::Vector2d(0, 0));
    EXPECT_TRUE(modes.has_value());
    std::complex<double> most{-1e300, 0};
    for (const std::complex<double>& mode : *modes)
      if (mode.real() > most.real()) most = mode;
    return most;
  };
  double l = -0.4;
  for (int i = 0; i < 50; ++i) l -= (l + 0.4 * std::exp(-l * 0.8)) / (1 - 0.4 * 0.8 * std::exp(-l * 0.8));
  EXPECT_NEAR(rightmost(0.4, 0.8).real(), l, 1e-9);
  EXPECT_NEAR(rightmost(M_PI / 2 / 0.8, 0.8).real(), 0, 1e-7);
  EXPECT_NEAR(std::abs(rightmost(M_PI / 2 / 0.8, 0.8).imag()), M_PI / 1.6, 1e-7);
}

}  // namespace
}  // namespace salvo::integrate
