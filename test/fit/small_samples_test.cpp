#include "base/distributions.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// Against textbook formulas, worked out here by hand.
namespace salvo::fit {
namespace {

using test::estimate_of;
using test::fit_of;

model::Problem problem_with(const std::string& yaml, const std::string& csv) {
  const formats::Folder folder({{"problem.yaml", yaml}, {"data.csv", csv}});
  return *formats::read_problem(folder / "problem.yaml");
}

struct Line {  // least squares on y = a + b t
  double a = 0, b = 0, rss = 0, se_a = 0, se_b = 0;
  int n = 0;
};
Line regression(const std::vector<double>& t, const std::vector<double>& y) {
  Line line;
  line.n = static_cast<int>(t.size());
  double st = 0, sy = 0, stt = 0, sty = 0;
  for (std::size_t i = 0; i < t.size(); ++i) st += t[i], sy += y[i], stt += t[i] * t[i], sty += t[i] * y[i];
  const double n = line.n;
  const double determinant = n * stt - st * st;
  line.b = (n * sty - st * sy) / determinant;
  line.a = (sy - line.b * st) / n;
  for (std::size_t i = 0; i < t.size(); ++i) line.rss += std::pow(y[i] - line.a - line.b * t[i], 2);
  const double s2 = line.rss / (n - 2);
  line.se_a = std::sqrt(s2 * stt / determinant);
  line.se_b = std::sqrt(s2 * n / determinant);
  return line;
}

const std::string line_yaml =
    "equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters:\n  b: {guess: 1}\n"
    "observables: {seen: {formula: x}}\ndata: data.csv\n";
const std::string line_csv = "time,seen\n0,1.1\n1,1.7\n2,3.2\n3,3.6\n5,5.9\n";

TEST(SmallSamples, OfALineAreTheTextbooks) {
  const FitResult result = fit_of(problem_with(line_yaml, line_csv));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Line line = regression({0, 1, 2, 3, 5}, {1.1, 1.7, 3.2, 3.6, 5.9});
  const double t = student_quantile(0.975, 3);
  const Estimate& b = estimate_of(result, "b");
  const Estimate& a = estimate_of(result, "x");
  EXPECT_NEAR(*b.standard_error, line.se_b, 1e-9);
  EXPECT_NEAR(*a.standard_error, line.se_a, 1e-9);
  EXPECT_NEAR(*b.student_degrees, 3, 1e-9);
  // Ends of the likelihood are found to a thousandth of their distance.
  EXPECT_NEAR(b.interval->first, line.b - t * line.se_b, 1e-3 * t * line.se_b);
  EXPECT_NEAR(a.interval->second, line.a + t * line.se_a, 1e-3 * t * line.se_a);
  EXPECT_NEAR(result.degrees_of_freedom, 3, 1e-9);
  EXPECT_NEAR(*result.aic, 2 * 3 - 2 * result.llh, 1e-9);  // two of the line and the noise
  EXPECT_NEAR(*result.aicc, *result.aic + 2 * 3 * 4 / (5.0 - 3 - 1), 1e-9);
  // The noise: maximum likelihood, with the interval of s^2 (n - k) / chi2.
  const Estimate& noise = estimate_of(result, "noise_seen");
  EXPECT_NEAR(noise.estimate, std::sqrt(line.rss / 5), 1e-7);
  EXPECT_NEAR(noise.interval->first, std::sqrt(line.rss / chi_squared_quantile(0.975, 3)), 1e-6);
  EXPECT_NEAR(noise.interval->second, std::sqrt(line.rss / chi_squared_quantile(0.025, 3)), 1e-6);
}

// Two lines that have nothing to do with each other: each has its own degrees of freedom.
TEST(SmallSamples, OfTwoNoisesKeepTheirOwnDegreesOfFreedom) {
  const FitResult result = fit_of(
      problem_with("equations: {x: b, y: c}\ninitial: {x: {guess: 0}, y: {guess: 0}}\nparameters:\n  b: {guess: "
                   "1}\n  c: {guess: 1}\n"
                   "observables: {u: {formula: x}, v: {formula: y}}\ndata: data.csv\n",
                   "time,u,v\n0,1.1,0.3\n1,1.7,\n2,3.2,4.4\n3,3.6,5.9\n5,5.9,\n6,,13\n7,,13.8\n8,,17\n9,,18.1\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Line u = regression({0, 1, 2, 3, 5}, {1.1, 1.7, 3.2, 3.6, 5.9});
  const Line v = regression({0, 2, 3, 6, 7, 8, 9}, {0.3, 4.4, 5.9, 13, 13.8, 17, 18.1});
  EXPECT_NEAR(*estimate_of(result, "b").standard_error, u.se_b, 1e-8);
  EXPECT_NEAR(*estimate_of(result, "c").standard_error, v.se_b, 1e-8);
  EXPECT_NEAR(*estimate_of(result, "b").student_degrees, 3, 1e-6);
  EXPECT_NEAR(*estimate_of(result, "c").student_degrees, 5, 1e-6);
}

// One level from two instruments of unknown noise: Satterthwaite's degrees of freedom lie between those of the worse
// one and those of both.
TEST(SmallSamples, OfOneLevelFromTwoNoisesAreSatterthwaites) {
  const FitResult result =
      fit_of(problem_with("equations: {x: 0}\ninitial: {x: {guess: 1}}\nparameters: {unused: 1}\n"
                          "observables: {u: {formula: x}, v: {formula: x}}\ndata: data.csv\n",
                          "time,u,v\n0,1.1,1.4\n1,0.9,0.5\n2,1.05,1.9\n3,0.97,\n4,1.02,0.8\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double degrees = estimate_of(result, "x").student_degrees.value();
  EXPECT_GT(degrees, 3);
  EXPECT_LT(degrees, 8);
}

// Where residuals of two instruments are shared, they tell less of each noise than its own count of data says.
TEST(SmallSamples, OfSharedResidualsAreWorthLess) {
  const FitResult result =
      fit_of(problem_with("equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}}\n"
                          "observables: {u: {formula: x}, v: {formula: x}}\ndata: data.csv\n",
                          "time,u,v\n0,1.1,0.8\n1,1.7,2.2\n2,3.2,2.9\n3,3.6,4.1\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double degrees = estimate_of(result, "b").student_degrees.value();
  EXPECT_LT(degrees, 6);  // of eight data and two quantities, were the noises one
  EXPECT_GE(degrees, 1);
  EXPECT_GT(*estimate_of(result, "b").standard_error, std::sqrt(result.covariance_on_scale(0, 0)) * 0.999);
}

// One line from two instruments, each of unknown noise: the weights of the likelihood, with variances of restricted
// likelihood, Kenward's and Roger's scatter of weights and Satterthwaite's degrees of freedom. Computed independently,
// with REML by its own fixed point.
TEST(SmallSamples, OfTwoNoisesRestOnVariancesOfRestrictedLikelihood) {
  const FitResult result =
      fit_of(problem_with("equations: {x: b}\ninitial: {x: {guess: 0}}\nparameters: {b: {guess: 1}}\n"
                          "observables: {u: {formula: x}, v: {formula: x}}\ndata: data.csv\n",
                          "time,u,v\n0,1.1,0.8\n1,1.7,2.6\n2,3.2,2.5\n3,3.6,4.4\n4,5.3,4.6\n5,5.8,6.9\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "b").estimate, 1.01209208, 1e-6);
  EXPECT_NEAR(*estimate_of(result, "x").standard_error, 0.22951211, 1e-5);
  EXPECT_NEAR(*estimate_of(result, "b").standard_error, 0.07580536, 1e-6);
  EXPECT_NEAR(*estimate_of(result, "b").student_degrees, 5.78007, 1e-3);
  const Estimate& noise = estimate_of(result, "noise_u");
  EXPECT_NEAR(noise.estimate, 0.26736102, 1e-6);
  const double scaled = 0.31218395 * std::sqrt(4.08655349);
  EXPECT_NEAR(noise.interval->first, scaled / std::sqrt(chi_squared_quantile(0.975, 4.08655349)), 1e-4);
  EXPECT_NEAR(noise.interval->second, scaled / std::sqrt(chi_squared_quantile(0.025, 4.08655349)), 1e-4);
}

// A prior takes a part of the freedom only: for one mean with n data of noise s and a prior of spread w, the trace of
// the hat matrix is n/s^2 / (n/s^2 + 1/w^2).
TEST(SmallSamples, WithAPriorCountEffectiveDegreesOfFreedom) {
  const FitResult result = fit_of(
      problem_with("equations: {x: 0}\ninitial: {x: {guess: 1, prior: 'normal(1, 0.1)'}}\nparameters: {unused: 1}\n"
                   "observables: {u: {formula: x, noise: 0.3}}\ndata: data.csv\n",
                   "time,u\n0,1.1\n1,0.9\n2,1.55\n3,0.97\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double data = 4 / 0.09;
  const double trace = data / (data + 100);
  EXPECT_NEAR(result.degrees_of_freedom, 4 - trace, 1e-9);
  EXPECT_NEAR(*result.aic, 2 * trace - 2 * result.llh, 1e-9);
  EXPECT_NEAR(*estimate_of(result, "x").standard_error, 1 / std::sqrt(data + 100), 1e-9);
  EXPECT_FALSE(estimate_of(result, "x").student_degrees);
}

// Below 0.4 the likelihood has no end before the bound at 0.
TEST(Intervals, HaveNoEndBeyondBounds) {
  const FitResult result =
      fit_of(problem_with("equations: {x: 0}\ninitial: {x: {guess: 1, bounds: [0, 5]}}\nparameters: {unused: 1}\n"
                          "observables: {u: {formula: x, noise: 1}}\ndata: data.csv\n",
                          "time,u\n0,0.3\n1,0.5\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Estimate& x = estimate_of(result, "x");
  EXPECT_EQ(x.interval_kind, IntervalKind::likelihood);
  EXPECT_EQ(x.interval->first, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(x.interval_wald->first, 0);
  EXPECT_NEAR(x.interval->second, 0.4 + normal_quantile_975 / std::sqrt(2.0), 1e-6);
}

TEST(Intervals, OfAValueNearZeroAreLikeAnyOther) {
  const FitResult result =
      fit_of(problem_with("equations: {x: 0}\ninitial: {x: {guess: 1}}\nparameters: {unused: 1}\n"
                          "observables: {u: {formula: x, noise: 1}}\ndata: data.csv\n",
                          "time,u\n0,0.5\n1,-0.5\n2,0.0001\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const Estimate& x = estimate_of(result, "x");
  EXPECT_TRUE(x.identifiable);
  EXPECT_NEAR(x.standard_error.value(), 1 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(result.message.find("order of magnitude"), std::string::npos) << result.message;
}

// Laplace residuals have twice the variance of normal ones: that is no reason for doubt.
TEST(GoodnessOfFit, IsThatOfTheLawItself) {
  std::string csv = "time,u\n";
  Random random(3);
  for (int i = 0; i < 200; ++i) csv += std::to_string(i) + "," + std::to_string(2 + random.laplace()) + "\n";
  const FitResult result =
      fit_of(problem_with("equations: {x: 0}\ninitial: {x: {guess: 1}}\nparameters: {unused: 1}\n"
                          "observables: {u: {formula: x, noise: 1, distribution: laplace}}\ndata: data.csv\n",
                          csv));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_GT(result.chi2, 250);
  EXPECT_GT(result.p_value.value(), 0.01);
  EXPECT_LT(result.p_value.value(), 0.99);
  EXPECT_EQ(result.message.find("credible"), std::string::npos) << result.message;
}

// 95 % are 95 %: five data, the noise estimated. Standard error of 1000 replicates: 0.7 %.
TEST(Coverage, OfALineWithFiveDataIsWhatItSays) {
  const StudyResult result =
      study(problem_with(line_yaml, line_csv),
            {.fit = {.threads = 2}, .replicates = 1000, .truth = {{"b", 1}, {"x", 1}, {"noise_seen", 0.3}}}, {});
  for (const StudyQuantity& quantity : result.quantities) EXPECT_NEAR(quantity.coverage95, 0.95, 0.025) << quantity.id;
}

// With a prior the estimate of a mean is pulled: its spread over repeated data is that of the data's share.
TEST(Study, WithAPriorExpectsTheSpreadOfThePenalisedEstimate) {
  const StudyResult result = study(
      problem_with("equations: {x: 0}\ninitial: {x: {guess: 0, prior: 'normal(0, 0.1)'}}\nparameters: {unused: 1}\n"
                   "observables: {u: {formula: x, noise: 0.3}}\ndata: data.csv\n",
                   "time,u\n0,1.1\n1,0.9\n2,1.55\n3,0.97\n"),
      {.replicates = 400}, {});
  const double data = 4 / 0.09;
  const double expected = std::sqrt(data) / (data + 100);
  ASSERT_EQ(result.quantities.size(), 1u);
  EXPECT_NEAR(result.quantities[0].expected_sd, expected, 1e-9);  // the truth is 0
  EXPECT_NEAR(result.quantities[0].sd, expected, 0.15 * expected);
  EXPECT_NE(result.message.find("penalised"), std::string::npos) << result.message;
}

// --- bands
// -------------------------------------------------------------------------------------------------------------

TEST(Bands, HaveNoEndWhereNothingIsKnown) {
  const FitResult result =
      fit_of(problem_with("equations: {x: -a*b*x}\ninitial: {x: 1}\nparameters:\n  a: {guess: 0.5, bounds: [0, 100]}\n"
                          "  b: {guess: 1, bounds: [0, 100]}\nobservables:\n  seen: {formula: x, noise: 0.02}\n"
                          "  other: {formula: 10*b*x, noise: 0.02}\ndata: data.csv\n",
                          "time,seen\n1,0.66\n2,0.45\n3,0.28\n4,0.2\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  for (const Arc& arc : result.solution_arcs)
    for (int i = 0; i < arc.band.lower.cols; ++i) {
      EXPECT_TRUE(std::isfinite(arc.band.lower(0, i)));
      EXPECT_TRUE(std::isnan(arc.band.lower(1, i)) && std::isnan(arc.band.upper_new(1, i)));
    }
}

// y = a: the band of the curve is t s / sqrt(n), that of a new value t s sqrt(1 + 1/n).
TEST(Bands, OfAMeanAndOfANewValueAreTheTextbooks) {
  const FitResult result = fit_of(problem_with(
      "equations: {x: 0}\ninitial: {x: {guess: 1}}\nparameters: {unused: 1}\nobservables: {u: {formula: x}}\n"
      "data: data.csv\n",
      "time,u\n0,1.1\n1,0.9\n2,1.55\n3,0.97\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double mean = 1.13;
  const double s = std::sqrt((std::pow(0.03, 2) + std::pow(0.23, 2) + std::pow(0.42, 2) + std::pow(0.16, 2)) / 3);
  const double t = student_quantile(0.975, 3);
  const Arc& arc = result.solution_arcs.front();
  EXPECT_NEAR(arc.band.upper(0, 0), mean + t * s / 2, 1e-6);
  EXPECT_NEAR(arc.band.lower_new(0, 0), mean - t * s * std::sqrt(1.25), 1e-6);
}

TEST(Bands, OfALogNormalLawStayPositive) {
  const FitResult result =
      fit_of(problem_with("equations: {x: -k*x}\ninitial: {x: {guess: 1}}\nparameters: {k: {guess: 0.5}}\n"
                          "observables: {u: {formula: x, noise: 1, distribution: log-normal}}\ndata: data.csv\n",
                          "time,u\n0,1.1\n1,0.2\n2,0.5\n3,0.07\n"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  for (const Arc& arc : result.solution_arcs)
    for (int i = 0; i < arc.band.lower.cols; ++i) {
      EXPECT_GT(arc.band.lower(0, i), 0);
      EXPECT_GT(arc.band.lower_new(0, i), 0);
      EXPECT_LT(arc.band.lower_new(0, i), arc.band.lower(0, i));
      EXPECT_GT(arc.band.upper_new(0, i), arc.band.upper(0, i));
    }
}

}  // namespace
}  // namespace salvo::fit
