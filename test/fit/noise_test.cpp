#include "fits.hpp"

// Cases that can be solved with pencil and paper.
namespace salvo::fit {
namespace {

using model::Distribution;
using test::estimate_of;
using test::fit_of;

const std::vector<double> values{1.7, 2.4, 1.9, 3.1, 2.2, 2.05, 1.6};

double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double value : all) sum += value;
  return sum / static_cast<double>(all.size());
}

// x' = 0, measured again and again.
model::Problem constant_state(Distribution law, const std::string& noise,
                              model::Estimated initial = test::estimated(1.5)) {
  test::Builder builder(test::Equations{{"x", "0"}});
  builder.parameter("sigma", test::estimated(0.5));
  builder.observable("level", "x", noise, law).experiment("default", {std::move(initial)});
  for (std::size_t j = 0; j < values.size(); ++j) builder.measure(0, 0, static_cast<double>(j), values[j]);
  model::Problem problem = builder.build();
  if (noise != "sigma") problem.parameters.clear();
  return problem;
}

TEST(EstimatedNoise, OfAConstantIsTheRootMeanSquareOfTheResiduals) {
  const FitResult result = fit_of(constant_state(Distribution::normal, "sigma"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double level = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - level) * (value - level);
  const double n = static_cast<double>(values.size());
  const double sigma = std::sqrt(sum / n);
  EXPECT_NEAR(estimate_of(result, "x").estimate, level, 1e-7);
  EXPECT_NEAR(estimate_of(result, "sigma").estimate, sigma, 1e-7);
  EXPECT_NEAR(*estimate_of(result, "x").standard_error, sigma / std::sqrt(n - 1), 1e-6);  // corrected by n/(n - 1)
  EXPECT_NEAR(*estimate_of(result, "sigma").standard_error, sigma / std::sqrt(2 * (n - 1)), 1e-6);
  EXPECT_NEAR(result.llh, -0.5 * n * (std::log(2 * M_PI * sigma * sigma) + 1), 1e-9);
}

// x' = a: a straight line.
TEST(EstimatedNoise, OfALineIsTheRootMeanSquareOfTheResiduals) {
  test::Builder builder(test::Equations{{"x", "a"}});
  builder.parameter("a", test::estimated(0.1)).parameter("sigma", test::estimated(0.5, model::Scale::log));
  builder.observable("level", "x", "sigma").experiment("default", {test::estimated(1)});
  double t_mean = 0, y_mean = 0, tt = 0, ty = 0;
  const double n = static_cast<double>(values.size());
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double t = static_cast<double>(j);
    builder.measure(0, 0, t, values[j]);
    t_mean += t / n;
    y_mean += values[j] / n;
  }
  for (std::size_t j = 0; j < values.size(); ++j) {
    const double t = static_cast<double>(j) - t_mean;
    tt += t * t;
    ty += t * (values[j] - y_mean);
  }
  double sum = 0;
  for (std::size_t j = 0; j < values.size(); ++j)
    sum += std::pow(values[j] - y_mean - ty / tt * (static_cast<double>(j) - t_mean), 2);
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "a").estimate, ty / tt, 1e-7);
  EXPECT_NEAR(estimate_of(result, "x").estimate, y_mean - ty / tt * t_mean, 1e-7);
  EXPECT_NEAR(estimate_of(result, "sigma").estimate, std::sqrt(sum / n), 1e-7);
}

TEST(LogNormalNoise, OfAConstantGivesTheGeometricMean) {
  const FitResult result = fit_of(constant_state(Distribution::log_normal, "0.3"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  const double level = std::exp(mean(logarithms));
  EXPECT_NEAR(result.initial[0].estimate, level, 1e-7);
  EXPECT_NEAR(*result.initial[0].standard_error, level * 0.3 / std::sqrt(7.0), 1e-6);
}

TEST(LaplaceNoise, OfAConstantGivesTheMedian) {
  const FitResult result = fit_of(constant_state(Distribution::laplace, "0.3"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.initial[0].estimate, 2.05, 1e-3);
  const FitResult logarithmic = fit_of(constant_state(Distribution::log_laplace, "0.3"));
  ASSERT_EQ(logarithmic.status, Status::converged) << logarithmic.message;
  EXPECT_NEAR(logarithmic.initial[0].estimate, 2.05, 1e-3);
}

TEST(LaplaceNoise, ItsScaleIsTheMeanAbsoluteResidual) {
  const FitResult result = fit_of(constant_state(Distribution::laplace, "sigma"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  double sum = 0;
  for (const double value : values) sum += std::abs(value - 2.05);
  EXPECT_NEAR(estimate_of(result, "x").estimate, 2.05, 1e-3);
  EXPECT_NEAR(estimate_of(result, "sigma").estimate, sum / 7, 1e-3);
}

TEST(LaplaceNoise, AnOutlierHardlyMatters) {
  model::Problem problem = test::predator_prey();
  for (model::Observable& observable : problem.observables) observable.distribution = Distribution::laplace;
  const FitResult clean = fit_of(problem);
  ASSERT_EQ(clean.status, Status::converged) << clean.message;
  problem.measurements[8].value += 3;
  const FitResult spoilt = fit_of(problem);
  ASSERT_EQ(spoilt.status, Status::converged) << spoilt.message;
  EXPECT_LE(test::distance(test::estimates(spoilt), test::estimates(clean)), 0.1);
}

// The posterior of a mean: weights 1/sigma^2 of the data, 1/spread^2 of the prior.
TEST(NormalPrior, GivesThePosteriorMean) {
  model::Estimated initial = test::estimated(1.5);
  initial.prior = model::Prior{.location = 4, .spread = 0.2};
  const FitResult result = fit_of(constant_state(Distribution::normal, "0.5", initial));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double data = 7 / 0.25;
  const double prior = 1 / 0.04;
  const double posterior = (data * mean(values) + prior * 4) / (data + prior);
  EXPECT_NEAR(result.initial[0].estimate, posterior, 1e-8);
  EXPECT_NEAR(*result.initial[0].standard_error, 1 / std::sqrt(data + prior), 1e-8);
  EXPECT_NEAR(result.log_prior, -0.5 * std::pow((posterior - 4) / 0.2, 2) - std::log(0.2 * std::sqrt(2 * M_PI)), 1e-7);
  EXPECT_NEAR(result.objective, -(result.llh + result.log_prior), 1e-12);
}

TEST(NormalPrior, OnAParameterAndOnItsScale) {
  test::Builder builder(test::Equations{{"x", "0"}});
  model::Estimated level = test::estimated(2, model::Scale::log10);
  level.prior = model::Prior{.location = 0.5, .spread = 0.1, .on_scale = true};
  builder.parameter("level", level);
  builder.observable("level", "level", "0.3", Distribution::log_normal).experiment("default", {"1"});
  for (const double value : values) builder.measure(0, 0, 1, value);
  const FitResult result = fit_of(builder.build());
  ASSERT_EQ(result.status, Status::converged) << result.message;
  // On log10: each datum has sigma 0.3 / ln 10.
  const double data = 7 * std::pow(std::log(10.0) / 0.3, 2);
  double sum = 0;
  for (const double value : values) sum += std::log10(value) / 7;
  EXPECT_NEAR(std::log10(result.parameters[0].estimate), (data * sum + 100 * 0.5) / (data + 100), 1e-8);
}

TEST(LaplacePrior, HoldsAnInitialValueThatTheDataPullOnlyALittle) {
  model::Estimated initial = test::estimated(1.5);
  initial.prior = model::Prior{.law = model::PriorLaw::laplace, .location = 2.1, .spread = 0.01};
  const FitResult result = fit_of(constant_state(Distribution::normal, "0.5", initial));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(result.initial[0].estimate, 2.1, 1e-3);
}

}  // namespace
}  // namespace salvo::fit
