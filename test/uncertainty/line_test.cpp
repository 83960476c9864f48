#include <cmath>

#include "base/distributions.hpp"
#include "estimate/estimate.hpp"
#include "helpers/problems.hpp"
#include "pictures/sample.hpp"
#include "uncertainty/bands.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/next_measurement.hpp"
#include "uncertainty/profiles/new_observation.hpp"
#include "uncertainty/profiles/options.hpp"
#include "uncertainty/profiles/prediction_formula.hpp"
#include "uncertainty/profiles/profiles.hpp"
#include "uncertainty/profiles/pulled_prediction.hpp"
#include "uncertainty/summarize.hpp"

// A line x = a + b t with known noise, of which everything is known in closed form.
namespace salvo::uncertainty {
namespace {

constexpr double sigma = 0.3;

struct Line {
  Line() {
    for (std::size_t k = 0; k < t.size(); ++k) st += t[k], stt += t[k] * t[k], sv += v[k], stv += t[k] * v[k];
  }
  // The problem: b, then a.
  model::Problem problem = [] {
    test::Builder builder(test::Equations{{"x", "b"}});
    builder.parameter("b", test::estimated(1)).observable("seen", "x", "0.3");
    builder.experiment(model::default_experiment, {test::estimated(0.5)});
    for (std::size_t k = 0; k < t.size(); ++k) builder.measure(0, 0, t[k], v[k]);
    return builder.build();
  }();
  estimate::Estimation estimation = estimate::estimate(problem, {}, {});
  const estimate::Answer& answer() const { return estimation.best.answer; }
  const shooting::ShootingProblem& shooting() const { return *estimation.best.shooting; }
  Errors errors() const { return errors_of(shooting(), answer().run, {}); }

  // By regression.
  static inline const std::vector<double> t{0, 1, 2, 3, 5}, v{1.1, 1.7, 3.2, 3.6, 5.9};
  double n = 5, st = 0, stt = 0, sv = 0, stv = 0;
  double det() const { return n * stt - st * st; }
  double slope() const { return (n * stv - st * sv) / det(); }
  double intercept() const { return (stt * sv - st * stv) / det(); }
  double var_slope() const { return sigma * sigma * n / det(); }
  double var_intercept() const { return sigma * sigma * stt / det(); }
  double covariance() const { return -sigma * sigma * st / det(); }
  double deviation_at(double time) const {
    return std::sqrt(var_intercept() + 2 * time * covariance() + time * time * var_slope());
  }
};

TEST(ErrorsOfALine, AreThoseOfRegression) {
  const Line line;
  const Errors errors = line.errors();
  ASSERT_TRUE(errors.known);
  EXPECT_NEAR(errors.uncertainty.covariance(0, 0), line.var_slope(), 1e-8);
  EXPECT_NEAR(errors.uncertainty.covariance(1, 1), line.var_intercept(), 1e-8);
  EXPECT_NEAR(errors.uncertainty.covariance(0, 1), line.covariance(), 1e-8);
  EXPECT_FALSE(has_full_rank(solve::Certificate{}, 2));
}

TEST(SummaryOfALine, HasItsEstimatesErrorsAndLikelihood) {
  Line line;
  FitResult result;
  result.measurements = 5;
  summarize(line.shooting(), line.estimation.best.answer, result);
  ASSERT_EQ(result.parameters.size(), 1U);
  EXPECT_NEAR(result.parameters[0].estimate, line.slope(), 1e-6);
  EXPECT_NEAR(*result.parameters[0].standard_error, std::sqrt(line.var_slope()), 1e-6);
  ASSERT_EQ(result.initial.size(), 1U);
  EXPECT_NEAR(result.initial[0].estimate, line.intercept(), 1e-6);
  double chi2 = 0;
  for (std::size_t k = 0; k < line.t.size(); ++k)
    chi2 += std::pow((line.v[k] - line.intercept() - line.slope() * line.t[k]) / sigma, 2);
  EXPECT_NEAR(result.chi2, chi2, 1e-6);
  EXPECT_EQ(why_no_errors(line.shooting(), model::Method::gauss_newton), "");
}

TEST(BandsOfALine, AreItsDeviations) {
  Line line;
  FitResult result;
  result.measurements = 5;
  summarize(line.shooting(), line.estimation.best.answer, result);
  result.solution_arcs = pictures::sample_arcs(line.shooting(), line.answer().run.q);
  add_bands(line.shooting(), line.answer().run.q, result);
  for (const Arc& arc : result.solution_arcs) {
    ASSERT_EQ(arc.band.deviation.cols, static_cast<int>(arc.time.size()));
    for (const int k : {0, arc.band.deviation.cols - 1})
      EXPECT_NEAR(arc.band.deviation(0, k), line.deviation_at(arc.time[k]), 1e-6);
  }
}

// What is known least, relative to its size, is the intercept; one more datum at t = 0 tells most of it.
TEST(TheNextMeasurementOfALine, IsWhereItHelpsMost) {
  const Line line;
  const auto next =
      next_measurement(line.shooting(), line.estimation.workspace->compiled(), line.answer().run.q, line.errors());
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->observable, "seen");
  const double relative_slope = std::sqrt(line.var_slope()) / line.slope();
  const double relative_intercept = std::sqrt(line.var_intercept()) / line.intercept();
  EXPECT_EQ(next->time, relative_intercept > relative_slope ? 0 : 5);
}

TEST(ProfilesOfALine, AreItsClassicalIntervals) {
  const Line line;
  const ProfilesOutcome outcome = follow_profiles(*line.estimation.workspace, line.estimation.best, {.ids = {"b"}}, {});
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_TRUE(outcome.better.empty());
  ASSERT_EQ(outcome.profiles.profiles.size(), 1U);
  const Profile& b = outcome.profiles.profiles[0];
  const double reach = 1.959963984540054 * std::sqrt(line.var_slope());
  EXPECT_NEAR(b.lower.value(), line.slope() - reach, 1e-5);
  EXPECT_NEAR(b.upper.value(), line.slope() + reach, 1e-5);
  EXPECT_EQ(check_profiles(line.problem, {.ids = {"c"}}).size(), 1U);
}

// Beyond the data, x(8) has the deviation of the line, and a new datum that of the noise too.
TEST(PredictionsOfALine, HaveItsDeviation) {
  const Line line;
  const RunContext context;
  const HeldFits fits(*line.estimation.workspace, line.estimation.best, context);
  ASSERT_EQ(fits.trouble(), "");
  const auto all = estimate::quantities(fits.shooting());
  const Errors errors = errors_of(fits.shooting(), fits.optimum(), {});
  const PredictionWanted wanted{.formula = "seen", .time = 8};
  const PulledPrediction prediction(fits, all, errors, wanted);
  EXPECT_EQ(prediction.id(), "seen@8");
  ASSERT_EQ(prediction.slopes().size(), 2U);
  EXPECT_NEAR(prediction.slopes()[0], 8, 1e-6);
  EXPECT_NEAR(prediction.slopes()[1], 1, 1e-6);
  // Pulled by d, the objective rises by d^2 / (2 variance).
  const double at_8 = line.intercept() + 8 * line.slope();
  const statistics::HeldPoint pulled = prediction.at(at_8 + 0.2, fits.optimum().q);
  ASSERT_TRUE(pulled.point.has_value()) << pulled.trouble;
  EXPECT_NEAR(pulled.point->objective - fits.optimum().objective, 0.5 * std::pow(0.2 / line.deviation_at(8), 2), 1e-5);
  EXPECT_TRUE(NewObservation::exists(line.problem, wanted));
  EXPECT_FALSE(NewObservation::exists(line.problem, {.formula = "x", .time = 8}));
  const NewObservation observation(fits, errors, prediction, wanted);
  EXPECT_NEAR(observation.plain_variance(), std::pow(line.deviation_at(8), 2) + sigma * sigma, 1e-6);
}

TEST(PredictionFormulas, ChangeWithTimeUnlessTheyAreOfParametersAlone) {
  model::Problem problem = Line().problem;
  EXPECT_TRUE(read_prediction(problem, "2*x")->changes_with_time);
  EXPECT_FALSE(read_prediction(problem, "2*b")->changes_with_time);
  EXPECT_FALSE(read_prediction(problem, "2*c"));
  EXPECT_EQ(experiment_of(problem, {.formula = "x", .time = 1}), 0);
  EXPECT_TRUE(check_prediction(problem, {.formula = "b"}).empty());
  EXPECT_EQ(check_prediction(problem, {.formula = "x"}).size(), 1U);
}

}  // namespace
}  // namespace salvo::uncertainty
