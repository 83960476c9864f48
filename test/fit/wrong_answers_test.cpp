// Problems on which a fit has once claimed a wrong answer, or refused a right one.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "estimate/starts/starts.hpp"
#include "fits.hpp"

namespace salvo::fit {
namespace {

// x = 2 exp(-p q t) from p = q = 0, where nothing changes with p alone or with q alone.
TEST(WrongAnswers, AProductOfRatesLeavesZero) {
  test::Builder builder(test::Equations{{"x", "-p*q*x"}});
  builder.parameter("p", test::estimated(0)).parameter("q", test::estimated(0));
  builder.parameter("s", test::within(0.5, 1e-5, 10)).observable("seen", "x", "s");
  builder.experiment(model::default_experiment, {std::string("2")});
  Random random(3);
  for (int j = 0; j <= 10; ++j) builder.measure(0, 0, 0.5 * j, 2 * std::exp(-0.48 * 0.5 * j) + 0.02 * random.normal());
  const FitResult result = test::fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(test::estimate_of(result, "p").estimate * test::estimate_of(result, "q").estimate, 0.48, 0.03);
  EXPECT_LT(test::estimate_of(result, "s").estimate, 0.05);
}

// a -> b -> nothing with b measured: from a rate of 500 on, all of a has become b before the first datum, and the
// estimated noise explains what is left.
TEST(WrongAnswers, EstimatedNoiseDoesNotExcuseARateThatNoDatumSees) {
  test::Builder builder(test::Equations{{"a", "-k1*a"}, {"b", "k1*a - k2*b"}});
  builder.parameter("k1", test::estimated(500, model::Scale::log10));
  builder.parameter("k2", test::estimated(0.3, model::Scale::log10));
  builder.parameter("s", test::within(0.1, 1e-5, 10)).observable("seen", "b", "s");
  builder.experiment(model::default_experiment, {std::string("3"), std::string("0")});
  Random random(3);
  for (int j = 1; j <= 12; ++j) {
    const double t = 0.5 * j;
    const double b = 3 * 0.8 / (0.3 - 0.8) * (std::exp(-0.8 * t) - std::exp(-0.3 * t));
    builder.measure(0, 0, t, b + 0.03 * random.normal());
  }
  const FitResult result = test::fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(test::estimate_of(result, "k1").estimate, 0.8, 0.1);
  EXPECT_NEAR(test::estimate_of(result, "k2").estimate, 0.3, 0.05);
}

// Data without noise: the likelihood has no end, and errors of integration are larger than the noise that is reached.
TEST(WrongAnswers, NoiseThatVanishesIsNoAnswer) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(1)).parameter("s", test::estimated(0.1)).observable("seen", "x", "s");
  builder.experiment(model::default_experiment, {test::estimated(1)});
  for (int j = 0; j <= 8; ++j) builder.measure(0, 0, 0.5 * j, 2 * std::exp(-0.25 * j));
  const FitResult result = test::fit_of(builder.build());
  EXPECT_NE(result.status, Status::converged) << result.message;
  EXPECT_NE(result.message.find("s runs to zero"), std::string::npos) << result.message;
}

// x = exp(k t) grows by e^40. Gaps that are small for its end are everything where it begins: nodes with such gaps fit
// better than any trajectory.
TEST(WrongAnswers, NearlyJoinedNodesAreNoBetterThanATrajectory) {
  test::Builder builder(test::Equations{{"x", "k*x"}});
  builder.parameter("k", test::estimated(3.9)).observable("seen", "x", "0.1*x");
  builder.experiment(model::default_experiment, {std::string("1")});
  const std::vector<double> values{46.816,        3131.91,         153638.0,         7624030.0,          532186000.0,
                                   30167100000.0, 1555500000000.0, 76594900000000.0, 4402880000000000.0, 2.38071e+17};
  for (int j = 1; j <= 10; ++j) builder.measure(0, 0, j, values[j - 1]);
  const FitResult result = test::fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(test::estimate_of(result, "k").estimate, 4, 0.02);
}

// The optimum of one unknown under Laplace's law lies on a corner: one datum is met exactly.
TEST(WrongAnswers, AnOptimumOnACornerIsReached) {
  test::Builder builder(test::Equations{{"x", "v"}, {"v", "-w^2*x - 0.1532*v"}});
  builder.parameter("w", test::within(1.76393, 1.28, 2.59));
  builder.observable("place", "x", "0.0228", model::Distribution::laplace).observable("speed", "v", "0.0661");
  builder.experiment(model::default_experiment, {std::string("0.677"), std::string("0.426")});
  const std::vector<double> places{0.45884, -0.29406,  -0.66931, -0.15791, 0.43001,
                                   0.4619,  -0.002625, -0.47136, -0.29035};
  const std::vector<double> speeds{-1.2032, 0.21027, 0.98086, 0.55472, -0.90554, -0.2715, 0.73279};
  const std::vector<double> speed_times{1.28, 1.92, 2.56, 3.2, 4.48, 5.12, 5.76};
  for (int j = 0; j < 9; ++j) builder.measure(0, 0, 0.64 * (j + 1), places[j]);
  for (int j = 0; j < 7; ++j) builder.measure(0, 1, speed_times[j], speeds[j]);
  const FitResult result = test::fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  double least = 1;
  for (int j = 0; j < 9; ++j) least = std::min(least, std::abs(result.predictions[j].residual));
  EXPECT_LT(least, 2e-6);
}

// The sum of two species that exchange is constant. With rates below zero both grow by e^35, and their sum is what
// rounding makes of it; a search finds errors that fit.
TEST(WrongAnswers, RoundingIsNotABetterFit) {
  test::Builder builder(test::Equations{{"a", "back*b - there*a"}, {"b", "there*a - back*b"}});
  builder.parameter("there", test::estimated(0.752433)).parameter("back", test::estimated(0.105419));
  builder.observable("sum", "a + b", "0.115", model::Distribution::laplace);
  builder.experiment(model::default_experiment,
                     {test::within(8.23033, 0.337, 12.1), test::within(0.229471, 0.0185, 5.07)});
  const std::vector<std::pair<double, double>> data{{0.242, 2.3873}, {0.4936, 2.5436}, {0.6107, 2.481}, {1.703, 2.3568},
                                                    {1.879, 2.4586}, {2.07, 2.3901},   {2.428, 2.8663}, {2.995, 2.3554},
                                                    {3.396, 2.5808}, {3.419, 2.1067},  {3.5, 2.6779},   {3.9, 2.3078},
                                                    {4.253, 2.6869}};
  double least = 0;  // with the median as the sum
  for (const auto& [time, value] : data) {
    builder.measure(0, 0, time, value);
    least += std::abs(value - 2.4586) / 0.115 + std::log(2 * 0.115);
  }
  const FitResult result = test::fit_of(builder.build(), {.threads = 2, .starts = 6, .seed = 1});
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.objective, least, 1e-3);
}

// Bounds that exclude the frequency of the data: no fit is good, and where ratios are closest is not where the
// likelihood is highest. Starts are no worse than a descent from the guess of the first.
TEST(WrongAnswers, StartsObeyTheirOwnGuess) {
  test::Builder builder(test::Equations{{"x", "a*sin(w*t) - k*x"}});
  builder.parameter("w", test::within(1.46, 1.46, 1.53));
  builder.parameter("k", test::within(0.45, 0.018, 6, model::Scale::log10)).parameter("a", test::within(1.4, -3, 5));
  builder.observable("seen", "x", "1", model::Distribution::student_t).experiment(model::default_experiment, {"0.489"});
  const std::vector<double> data{1.36, 1.97, 0.321, 0.0869, 1.25, 1.07, -0.483, 0.26, 1.27, 0.0464, -0.663, 0.711};
  const std::vector<double> sigma{0.1, 0.15, 0.05, 0.08, 0.15, 0.09, 0.12, 0.09, 0.08, 0.06, 0.11, 0.06};
  for (std::size_t j = 0; j < data.size(); ++j)
    builder.measure(0, 0, 0.9 * (static_cast<double>(j) + 1), data[j], sigma[j]);
  model::Problem problem = builder.build();
  problem.observables[0].shape = 4;
  const FitResult one = test::fit_of(problem, {.nodes = model::SingleInterval{}});
  const FitResult many = test::fit_of(problem, {.starts = 3});
  EXPECT_LT(many.objective, one.objective + 1e-6);
}

// Data that the model cannot follow hold x at an equilibrium from which it departs by e^30. Nodes stay there, and no
// trajectory does: the message says so.
TEST(WrongAnswers, NodesThatNoTrajectoryFollowsAreNamed) {
  test::Builder builder(test::Equations{{"x", "r*x*(1 - x/K)"}});
  model::Estimated capacity = test::within(5, 0.01, 1000);
  capacity.scale = model::Scale::log;
  builder.parameter("r", test::within(0.5, -5, 5)).parameter("K", capacity);
  builder.parameter("s", test::within(0.3, 1e-5, 100)).observable("seen", "x", "s");
  builder.experiment(model::default_experiment, {test::within(0.5, 1e-4, 20)});
  const std::vector<double> values{1.00008, 1.85001, 1.89474, 1.14823, 0.257475,  0.0398634, 0.726474,
                                   1.65203, 1.99377, 1.40911, 0.46974, 0.0120205, 0.468736};
  for (int j = 0; j < 13; ++j) builder.measure(0, 0, 0.5 * j, values[j]);
  const model::Problem problem = builder.build();
  const FitResult result = test::fit_of(problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  std::map<std::string, double> found;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& estimate : *list) found[estimate.id] = estimate.estimate;
  const EvaluateResult one = evaluate(problem, {.values = found});
  ASSERT_TRUE(one.ok) << one.message;
  EXPECT_EQ(std::abs(one.llh - result.llh) > 1e-5, result.message.find("departs from the nodes") != std::string::npos)
      << one.llh - result.llh << ": " << result.message;
}

}  // namespace
}  // namespace salvo::fit
