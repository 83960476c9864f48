#include "base/distributions.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit {
namespace {

constexpr char five_data[] = "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n";

Profile prediction(const std::string& observable, const std::string& csv, const std::string& wanted = "seen",
                   double level = 0.95) {
  const formats::Folder folder({{"problem.yaml",
                                 "equations: {x: b, y: c}\ninitial: {x: {guess: 0.5}, y: y0}\nparameters:\n"
                                 "  b: {guess: 1}\n  c: {guess: 1}\n  y0: {guess: 1}\nobservables:\n" +
                                     observable + "data: data.csv\n"},
                                {"data.csv", csv}});
  model::Problem problem = *formats::read_problem(folder / "problem.yaml");
  if (problem.observables.size() == 1)  // of y nothing was measured
    for (model::Parameter& parameter : problem.parameters)
      if (parameter.id != "b" && !parameter.id.starts_with("noise")) parameter.value = 1.0;
  const FitResult result = profile(problem, {}, {.predictions = {{.formula = wanted, .time = 8}}, .level = level}, {});
  EXPECT_TRUE(result.profiles && result.profiles->profiles.size() == 1) << result.message;
  return result.profiles ? result.profiles->profiles.at(0) : Profile{};
}
Profile of_law(const std::string& law, const std::string& csv = five_data) {
  return prediction("  seen: {formula: x" + law + "}\n", csv);
}

// a + 8 b by regression of these data, its variance and that of a new value as parts of sigma^2.
struct PredictedLine {
  double at_8 = 0, s2 = 0, spread = 0;
};
PredictedLine line_at_8(const std::vector<double>& t, const std::vector<double>& v) {
  const auto n = static_cast<double>(t.size());
  double st = 0, stt = 0, sv = 0, stv = 0, rss = 0;
  for (std::size_t k = 0; k < t.size(); ++k) st += t[k], stt += t[k] * t[k], sv += v[k], stv += t[k] * v[k];
  const double det = n * stt - st * st;
  const double a = (stt * sv - st * stv) / det;
  const double b = (n * stv - st * sv) / det;
  for (std::size_t k = 0; k < t.size(); ++k) rss += std::pow(v[k] - a - b * t[k], 2);
  return {a + 8 * b, rss / (n - 2), std::sqrt(1 + (stt - 16 * st + 64 * n) / det)};
}

void expect_interval(const Profile& profile, double lower, double upper, double tolerance) {
  ASSERT_TRUE(profile.new_observation && profile.new_observation->lower && profile.new_observation->upper)
      << profile.sentence;
  EXPECT_NEAR(*profile.new_observation->lower, lower, tolerance);
  EXPECT_NEAR(*profile.new_observation->upper, upper, tolerance);
}

TEST(NewObservations, OfALineAreTheClassicalOnes) {
  const PredictedLine line = line_at_8({0, 1, 2, 3, 5}, {1.1, 1.7, 3.2, 3.6, 5.9});
  for (const double level : {0.95, 0.8}) {
    const double known = 0.3 * line.spread * student_quantile(0.5 * (1 + level), 1e300);
    const double estimated = std::sqrt(line.s2) * line.spread * student_quantile(0.5 * (1 + level), 3);
    expect_interval(prediction("  seen: {formula: x, noise: 0.3}\n", five_data, "seen", level), line.at_8 - known,
                    line.at_8 + known, 1e-6);
    expect_interval(prediction("  seen: {formula: x}\n", five_data, "seen", level), line.at_8 - estimated,
                    line.at_8 + estimated, 1e-6);
  }
  EXPECT_NE(of_law(", noise: 0.3").sentence.find("A new measurement would lie between 7.608 and 9.8."),
            std::string::npos);
}

// Each of two lines has its own noise, and Student's t of its own data.
TEST(NewObservations, OfTwoNoisesRestOnTheirOwn) {
  const std::string both = "  seen: {formula: x}\n  other: {formula: y}\n";
  const std::string csv = "time,seen,other\n0,1.1,0.3\n1,1.7,\n2,3.2,4.4\n3,3.6,5.9\n5,5.9,\n6,,13\n7,,13.8\n9,,18.1\n";
  const PredictedLine seen = line_at_8({0, 1, 2, 3, 5}, {1.1, 1.7, 3.2, 3.6, 5.9});
  const PredictedLine other = line_at_8({0, 2, 3, 6, 7, 9}, {0.3, 4.4, 5.9, 13, 13.8, 18.1});
  const double of_seen = std::sqrt(seen.s2) * seen.spread * student_quantile(0.975, 3);
  const double of_other = std::sqrt(other.s2) * other.spread * student_quantile(0.975, 4);
  expect_interval(prediction(both, csv), seen.at_8 - of_seen, seen.at_8 + of_seen, 1e-5);
  expect_interval(prediction(both, csv, "other"), other.at_8 - of_other, other.at_8 + of_other, 1e-5);
}

// The logarithm of a decay is a line, and so is that of a new value.
TEST(NewObservations, UnderALogarithmicLawAreThoseOfTheLogarithm) {
  const formats::Folder folder({{"problem.yaml",
                                 "equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 1}}\n"
                                 "observables: {seen: {formula: x, distribution: log-normal}}\ndata: data.csv\n"},
                                {"data.csv", "time,seen\n0,2.1\n1,0.9\n2,0.8\n3,0.3\n5,0.1\n"}});
  const FitResult result = profile(*formats::read_problem(folder / "problem.yaml"), {},
                                   {.predictions = {{.formula = "seen", .time = 8}}}, {});
  std::vector<double> logs;
  for (const double value : {2.1, 0.9, 0.8, 0.3, 0.1}) logs.push_back(std::log(value));
  const PredictedLine line = line_at_8({0, 1, 2, 3, 5}, logs);
  const double reach = std::sqrt(line.s2) * line.spread * student_quantile(0.975, 3);
  ASSERT_TRUE(result.profiles.has_value()) << result.message;
  expect_interval(result.profiles->profiles.at(0), std::exp(line.at_8 - reach), std::exp(line.at_8 + reach), 1e-5);
}

// Under other laws by minimising -llh + u^2 / 2 over both parameters, u the normal score of the new value; computed
// independently.
TEST(NewObservations, UnderOtherLawsAreByTheirQuantiles) {
  expect_interval(of_law(", noise: 0.3, distribution: student-t(4)"), 7.5035461, 9.8571609, 1e-5);
  expect_interval(of_law(", noise: 0.3, distribution: laplace"), 7.3540417, 9.7286982, 1e-5);
  // Counts: the ends 1.5591 and 18.4795 of their smooth law, rounded up.
  expect_interval(of_law(", distribution: poisson", "time,seen\n0,1\n1,2\n2,3\n3,4\n5,6\n"), 2, 19, 0);
  // 0.7091 and 24.1071.
  expect_interval(of_law(", distribution: negative-binomial(9)", "time,seen\n0,1\n1,2\n2,3\n3,4\n5,6\n"), 1, 25, 0);
}

// Growth whose end is not seen may grow beyond all bounds, and so may a measurement of it: a capacity that runs to
// infinity goes on on its other side.
TEST(NewObservations, HaveNoLimitWhereThePredictionHasNone) {
  const formats::Folder folder(
      {{"problem.yaml",
        "equations: {x: r*x*(1 - x/K)}\ninitial: {x: 1}\nparameters: {r: {guess: 0.4}, K: {guess: 20}}\n"
        "observables: {seen: {formula: x, noise: 0.3}}\ndata: data.csv\n"},
       {"data.csv", "time,seen\n0,0.6463\n1,1.278\n2,2.8072\n3,3.4347\n4,6.3284\n5,8.844\n6,13.9279\n"}});
  const FitResult result = profile(*formats::read_problem(folder / "problem.yaml"), {},
                                   {.predictions = {{.formula = "seen", .time = 12}}}, {});
  ASSERT_TRUE(result.profiles.has_value()) << result.message;
  const Profile& forecast = result.profiles->profiles.at(0);
  EXPECT_NEAR(forecast.lower.value(), 41.57415, 1e-3);
  EXPECT_FALSE(forecast.upper);
  ASSERT_TRUE(forecast.new_observation);
  EXPECT_NEAR(forecast.new_observation->lower.value(), 41.57, 0.05);
  EXPECT_FALSE(forecast.new_observation->upper);
}

// What has no law of its own has no new observation: a state, a formula, what states no noise.
TEST(NewObservations, AreThoseOfObservablesOnly) {
  EXPECT_FALSE(prediction("  seen: {formula: x, noise: 0.3}\n", five_data, "x").new_observation);
  EXPECT_FALSE(prediction("  seen: {formula: x, noise: 0.3}\n", five_data, "1*seen").new_observation);
}

}  // namespace
}  // namespace salvo::fit
