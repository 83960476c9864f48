#include "estimate/ways/known_past.hpp"

#include <cmath>
#include <numbers>

#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

// Hutchinson's equation; the data and the optimum were found with another program: spectral collocation, and dopri5
// with derivatives by complex step.
const std::vector<double> population{3.893,  7.859,  14.922, 16.829, 12.38, 5.745,  4.915, 6.402,  9.973, 13.934,
                                     15.158, 10.662, 7.201,  6.837,  8.891, 10.975, 13.07, 12.927, 8.68,  7.876};

model::Problem hutchinson(double tau = 1.5, const std::string& seen = "N") {
  test::Builder builder(test::Equations{{"N", "r*N*(1 - delay(N, tau)/K)"}});
  builder.parameter("r", test::within(1, 0.05, 5)).parameter("K", test::within(8, 1, 50));
  builder.parameter("tau", test::within(tau, 0.1, 10)).observable("seen", seen, "0.5");
  builder.experiment(model::default_experiment, {test::within(2, 0.1, 20)});
  for (std::size_t j = 0; j < population.size(); ++j) builder.measure(0, 0, static_cast<double>(j + 1), population[j]);
  return builder.build();
}

TEST(KnownPast, IsTheSmoothedCurveOfTheDataAndStaysBeforeTheStart) {
  const test::LaidOut laid(hutchinson());
  const auto past = past_from_data(laid.workspace);
  ASSERT_TRUE(past);
  ASSERT_EQ(past->size(), 1U);
  const model::InputCurve& curve = *past->front().of_experiment.front();
  EXPECT_EQ(curve.at(-5), curve.at(0));
  for (std::size_t j = 0; j < population.size(); ++j)
    EXPECT_NEAR(curve.at(static_cast<double>(j + 1)), population[j], 1.5);  // three standard deviations
}

TEST(KnownPast, IsWhatTheHistorySaysWhereThatIsKnown) {
  model::Problem problem = hutchinson();
  problem.states[0].history = problem.graph.add(problem.graph.constant(3), problem.time);
  const test::LaidOut laid(std::move(problem));
  const model::InputCurve& curve = *past_from_data(laid.workspace)->front().of_experiment.front();
  EXPECT_NEAR(curve.at(-1), 2, 1e-9);
  EXPECT_NEAR(curve.at(-2.3), 0.7, 1e-9);
}

TEST(KnownPast, IsNotKnownWhereTheDataDoNotShowIt) {
  test::Builder builder({{"x", "-k*y"}, {"y", "delay(x, 1) - y"}});
  builder.parameter("k", test::estimated(1)).observable("seen", "y", "0.1");
  builder.experiment(model::default_experiment, {std::string("1"), std::string("0")});
  for (int j = 1; j < 9; ++j) builder.measure(0, 0, j, 1);
  const test::LaidOut laid(builder.build());
  EXPECT_FALSE(past_from_data(laid.workspace));
  EXPECT_EQ(make_plan(laid.workspace, strategy({})).situation, "earlier values");
}

// The objective has the logarithms of the noise as well.
double chi2(const test::Estimated& fit) {
  return 2 * fit.answer().run.objective - 20 * std::log(2 * std::numbers::pi * 0.25);
}

TEST(KnownPast, IsOnlyTheBeginningAndTheEquationItselfIsFitted) {
  const test::Estimated fit(hutchinson());
  EXPECT_EQ(fit.estimation.plan.situation, "earlier values shown");
  EXPECT_TRUE(is_proved(fit.answer()));
  EXPECT_EQ(fit.answer().way, "known past");
  EXPECT_NEAR(fit.value("r"), 0.90007024, 1e-5);
  EXPECT_NEAR(fit.value("K"), 10.0123875, 1e-4);
  EXPECT_NEAR(fit.value("tau"), 1.5977460, 1e-5);
  EXPECT_NEAR(fit.value("N"), 2.0118042, 1e-4);
  EXPECT_NEAR(chi2(fit), 15.143551174, 1e-6);
}

// An observable that can be inverted shows the state as well.
TEST(KnownPast, IsSeenThroughAFormula) {
  const test::LaidOut laid(hutchinson(1.5, "2*N - 1"));
  EXPECT_TRUE(past_from_data(laid.workspace));
}

TEST(KnownPast, LeadsToTheOptimumFromGuessesThatAreFarOff) {
  Random random = Random::stream(7, 0);
  int reached = 0;
  for (int start = 0; start < 20; ++start) {
    Options options{.guess_from = GuessFrom::file};
    options.guess["tau"] = 1.5977460 * (random.uniform() < 0.5 ? 0.6 : 1.4);
    for (const auto& [id, value] : std::map<std::string, double>{{"r", 0.9}, {"K", 10.0}, {"N", 2.0}})
      options.guess[id] = value * std::exp(0.4 * (2 * random.uniform() - 1));
    const test::Estimated fit(hutchinson(), options);
    reached += is_proved(fit.answer()) && std::abs(chi2(fit) - 15.143551174) < 1e-5 ? 1 : 0;
  }
  EXPECT_EQ(reached, 20);
}

}  // namespace
}  // namespace salvo::estimate
