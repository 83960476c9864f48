#include <numbers>

#include "fit/built_in.hpp"
#include "fits.hpp"
#include "helpers/differences.hpp"

namespace salvo::fit {
namespace {

using model::Distribution;

constexpr double pi = std::numbers::pi;

// A decay with x(t) = 2 e^(-k t), measured under one law.
model::Problem decay_under(Distribution law, const std::string& noise) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.4)).parameter("s", test::estimated(0.2, model::Scale::log10));
  builder.observable("amount", "x", noise, law).experiment("default", {test::estimated(2)});
  for (const double t : {0., 0.5, 1., 1., 2.}) builder.measure(0, 0, t, 2.2 - 0.7 * t);
  return builder.build();
}

double llh_of(Distribution law, double m, double y, double s) {
  switch (law) {
    case Distribution::normal: return -0.5 * std::log(2 * pi * s * s) - 0.5 * std::pow((m - y) / s, 2);
    case Distribution::log_normal:
      return -0.5 * std::log(2 * pi * s * s * m * m) - 0.5 * std::pow((std::log(m) - std::log(y)) / s, 2);
    case Distribution::laplace: return -std::log(2 * s) - std::abs(m - y) / s;
    case Distribution::log_laplace: return -std::log(2 * s * m) - std::abs(std::log(m) - std::log(y)) / s;
    default: return 0;
  }
}

TEST(Evaluate, EveryIntegratorButCvodesIsAlwaysBuiltIn) {
  EXPECT_TRUE(is_built_in(model::AutoIntegrator{}));
  EXPECT_TRUE(is_built_in(model::Rodas5p{}));
  EXPECT_EQ(is_built_in(model::Cvodes{}), integrate::has_cvodes());
}

class EvaluateUnder : public ::testing::TestWithParam<Distribution> {};

TEST_P(EvaluateUnder, LikelihoodAndResidualsFollowTheFormulas) {
  const Distribution law = GetParam();
  const model::Problem problem = decay_under(law, "s");
  const EvaluateResult result = evaluate(problem, {.integrator = model::Dopri5{1e-11, 1e-13}});
  ASSERT_TRUE(result.ok) << result.message;
  double llh = 0;
  double chi2 = 0;
  for (std::size_t i = 0; i < problem.measurements.size(); ++i) {
    const model::Measurement& m = problem.measurements[i];
    const double y = 2 * std::exp(-0.4 * m.time);
    const bool logarithmic = law == Distribution::log_normal || law == Distribution::log_laplace;
    const double residual = (logarithmic ? std::log(m.value) - std::log(y) : m.value - y) / 0.2;
    EXPECT_NEAR(result.simulations[i].simulation, y, 1e-9);
    EXPECT_NEAR(result.simulations[i].residual, residual, 1e-8);
    llh += llh_of(law, m.value, y, 0.2);
    chi2 += residual * residual;
  }
  EXPECT_NEAR(result.llh, llh, 1e-7);
  EXPECT_NEAR(result.chi2, chi2, 1e-7);
}

TEST_P(EvaluateUnder, GradientIsThatOfTheLikelihoodOnEachScale) {
  const model::Problem problem = decay_under(GetParam(), "0.05 + s*x");
  const model::Integrator fixed = model::Rk4{0.05};
  const auto llh = [&](double k, double log10_s, double x) {
    return evaluate(problem, {.integrator = fixed, .values = {{"k", k}, {"s", std::pow(10, log10_s)}, {"x", x}}}).llh;
  };
  const double s = std::log10(0.2);
  const EvaluateResult result = evaluate(problem, {.gradient = true, .integrator = fixed});
  ASSERT_TRUE(result.ok) << result.message;
  ASSERT_EQ(result.gradient.size(), 3u);
  const auto slope = [&](auto f, double at) {
    return test::difference([&](double value) { return std::vector<double>{f(value)}; }, at)[0];
  };
  EXPECT_EQ(result.gradient[0].first, "k");
  EXPECT_NEAR(result.gradient[0].second, slope([&](double k) { return llh(k, s, 2); }, 0.4), 1e-7);
  EXPECT_NEAR(result.gradient[1].second, slope([&](double z) { return llh(0.4, z, 2); }, s), 1e-7);
  EXPECT_NEAR(result.gradient[2].second, slope([&](double x) { return llh(0.4, s, x); }, 2), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Law, EvaluateUnder,
                         ::testing::Values(Distribution::normal, Distribution::log_normal, Distribution::laplace,
                                           Distribution::log_laplace),
                         [](const auto& law) {
                           std::string name(model::to_string(law.param));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Central differences of the predictions, whatever the law of the noise: an estimated one, a logarithm, a limit.
TEST(Evaluate, TheJacobianOfPredictionsIsThatOfTheirDifferences) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.4, model::Scale::log10)).parameter("s", test::estimated(0.2));
  builder.observable("amount", "x", "0.1 + s*x").observable("square", "x^2", "s");
  builder.experiment("one", {test::estimated(2)}).experiment("two", {"3*k"});
  for (const double t : {2., 0., 1.}) builder.measure(1, 1, t, 1.1 - 0.2 * t).measure(0, 0, t, 2.2 - 0.7 * t);
  model::Problem problem = builder.build();
  problem.observables[1].distribution = model::Distribution::log_normal;
  problem.measurements[3].censored = model::Censored::below;
  const std::vector<std::string> ids{"k", "s", "one:x"};
  const std::map<std::string, double> at{{"k", 0.4}, {"s", 0.2}, {"one:x", 2}};
  const EvaluateResult result = evaluate(problem, {.prediction_jacobian = true, .values = at});
  ASSERT_TRUE(result.ok) << result.message;
  ASSERT_EQ(result.prediction_jacobian.rows, 6);
  ASSERT_EQ(result.prediction_jacobian.cols, 3);
  for (int c = 0; c < 3; ++c) {
    const double h = 1e-4;
    const bool is_log = ids[c] == "k";
    const auto moved = [&](double step) {
      auto values = at;
      double& value = values[ids[c]];
      value = is_log ? value * std::pow(10.0, step) : value + step;
      return evaluate(problem, {.values = values}).simulations;
    };
    const auto up = moved(h), down = moved(-h);
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(result.prediction_jacobian(up[i].row, c), (up[i].simulation - down[i].simulation) / (2 * h), 1e-5)
          << i << " by " << ids[c];
  }
}

// Two experiments, with a free initial value in one of them, and measurements inside and at the end.
TEST(Evaluate, TheJacobianGivesTheGradient) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", test::estimated(0.4, model::Scale::log10)).parameter("s", test::estimated(0.2));
  builder.observable("amount", "x", "0.1 + s*x").experiment("one", {test::estimated(2)}).experiment("two", {"3*k"});
  for (const double t : {0., 0.5, 1., 2.}) builder.measure(0, 0, t, 2.2 - 0.7 * t).measure(1, 0, t, 1.1 - 0.2 * t);
  for (const model::Integrator& integrator :
       {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
    const EvaluateResult result =
        evaluate(builder.build(), {.gradient = true, .jacobian = true, .integrator = integrator});
    ASSERT_TRUE(result.ok) << result.message;
    ASSERT_EQ(result.jacobian.cols, static_cast<int>(result.gradient.size()));
    ASSERT_EQ(result.jacobian.rows, static_cast<int>(result.rows.size()));
    for (int c = 0; c < result.jacobian.cols; ++c) {
      double sum = 0;
      for (int i = 0; i < result.jacobian.rows; ++i) sum += result.jacobian(i, c) * result.rows[i];
      EXPECT_NEAR(result.gradient[c].second, -sum, 1e-9 * (1 + std::abs(sum))) << c;
    }
  }
}

TEST(Evaluate, TellsHowLongWhatItComputedTook) {
  const model::Problem problem = decay_under(Distribution::normal, "s");
  const EvaluateResult plain = evaluate(problem, {});
  EXPECT_GT(plain.seconds.values, 0);
  EXPECT_FALSE(plain.seconds.gradient || plain.seconds.jacobian);
  EXPECT_TRUE(evaluate(problem, {.gradient = true}).seconds.gradient);
  const EvaluateResult repeated = evaluate(problem, {.repeat = 3});
  EXPECT_GT(repeated.seconds.gradient.value_or(0), 0);
  EXPECT_GT(repeated.seconds.jacobian.value_or(0), 0);
  EXPECT_TRUE(repeated.gradient.empty());  // nobody asked
  EXPECT_EQ(repeated.llh, plain.llh);
}

TEST(Evaluate, SumsAreTheSameWithoutTheSimulations) {
  const model::Problem problem = decay_under(Distribution::normal, "s");
  const EvaluateResult all = evaluate(problem, {});
  const EvaluateResult sums = evaluate(problem, {.simulations = false});
  EXPECT_EQ(all.simulations.size(), problem.measurements.size());
  EXPECT_TRUE(sums.simulations.empty());
  EXPECT_EQ(sums.llh, all.llh);
  ASSERT_EQ(sums.by_observable.size(), 1u);
  EXPECT_EQ(sums.by_observable[0].values, std::ssize(problem.measurements));
  EXPECT_EQ(sums.by_observable[0].llh, all.llh);
  EXPECT_EQ(sums.by_observable[0].chi2, all.chi2);
}

TEST(Evaluate, PriorsAreToldApartFromTheLikelihood) {
  model::Problem problem = decay_under(Distribution::normal, "s");
  const EvaluateResult plain = evaluate(problem, {.gradient = true});
  auto& k = std::get<model::Estimated>(problem.parameters[0].value);
  k.prior = model::Prior{.location = 0.1, .spread = 0.2};
  const EvaluateResult with_prior = evaluate(problem, {.gradient = true});
  EXPECT_EQ(with_prior.llh, plain.llh);
  ASSERT_EQ(with_prior.log_prior.size(), 1u);
  EXPECT_NEAR(with_prior.log_prior[0].second, -0.5 * 2.25 - std::log(0.2 * std::sqrt(2 * pi)), 1e-12);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(with_prior.gradient[i].second, plain.gradient[i].second, 1e-10);
}

TEST(Evaluate, SaysWhereATrajectoryFails) {
  const EvaluateResult result = evaluate(test::predator_prey(), {});
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.message.find("t = 3.306"), std::string::npos) << result.message;
  EXPECT_TRUE(std::isnan(result.llh));
}

TEST(Evaluate, AMeasurementAtTheStartNeedsNoTrajectory) {
  test::Builder builder = test::decay(test::estimated(0.4), test::estimated(2));
  builder.measure(0, 0, 0, 2.1);
  const EvaluateResult result = evaluate(builder.build(), {.gradient = true});
  ASSERT_TRUE(result.ok) << result.message;
  EXPECT_NEAR(result.llh, llh_of(Distribution::normal, 2.1, 2, 0.1), 1e-12);
  EXPECT_NEAR(result.gradient[1].second, 0.1 / 0.01, 1e-10);
}

}  // namespace
}  // namespace salvo::fit
