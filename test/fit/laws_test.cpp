#include "base/distributions.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// A level that is measured again and again, under every law: the estimates are known from a textbook, or from a second
// computation.
namespace salvo::fit {
namespace {

using test::estimate_of;
using test::fit_of;

model::Problem level(const std::string& observable, const std::string& parameters, const std::string& cells) {
  std::string csv = "time,u\n";
  int t = 0;
  std::string cell;
  for (const char c : cells + " ") {
    if (c != ' ') {
      cell += c;
    } else if (!cell.empty()) {
      csv += std::to_string(t++) + "," + cell + "\n";
      cell.clear();
    }
  }
  const formats::Folder folder(
      {{"level.yaml", "equations: {x: 0}\ninitial: {x: {guess: 2}}\nparameters: {" + parameters +
                          "}\nobservables: {u: {formula: x, " + observable + "}}\ndata: level.csv\n"},
       {"level.csv", csv}});
  return *formats::read_problem(folder / "level.yaml");
}

TEST(PoissonCounts, HaveTheirMeanAndItsError) {
  const FitResult result = fit_of(level("distribution: poisson", "unused: 1", "3 0 5 2 4 1 3 2"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "x").estimate, 2.5, 1e-8);
  EXPECT_NEAR(*estimate_of(result, "x").standard_error, std::sqrt(2.5 / 8), 1e-8);
  EXPECT_FALSE(estimate_of(result, "x").student_degrees);
  EXPECT_GT(result.p_value.value(), 0.05);
  EXPECT_NEAR(result.predictions[0].sigma, std::sqrt(2.5), 1e-8);
}

TEST(NegativeBinomialCounts, HaveTheirMeanAndTheirDispersion) {
  const FitResult result =
      fit_of(level("distribution: negative-binomial(k)", "k: {guess: 1, scale: log}", "3 0 15 2 4 1 9 2 0 22 5 1"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const double mean = 64.0 / 12;
  EXPECT_NEAR(estimate_of(result, "x").estimate, mean, 1e-6);
  // d llh / d k = 0, found here by halving.
  const std::vector<double> counts{3, 0, 15, 2, 4, 1, 9, 2, 0, 22, 5, 1};
  const auto score = [&](double k) {
    double sum = 0;
    for (const double y : counts)
      sum += digamma(y + k) - digamma(k) + std::log(k / (k + mean)) + (mean - y) / (k + mean);
    return sum;
  };
  double low = 0.1, high = 10;
  for (int n = 0; n < 100; ++n) (score(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(estimate_of(result, "k").estimate, low, 1e-4 * low);
  EXPECT_NEAR(*estimate_of(result, "x").standard_error, std::sqrt((mean + mean * mean / low) / 12), 1e-4);
}

// The score of a normal sample of which two values are only known to lie below 1: Σ u + Σ -h((1 - x)/s) = 0.
TEST(Limits, CountWithTheirProbability) {
  const FitResult result = fit_of(level("noise: 0.5", "unused: 1", "1.4 <1 2.1 1.2 <1 1.7"));
  ASSERT_EQ(result.status, Status::converged) << result.message;
  const auto score = [](double x) {
    double sum = 0;
    for (const double y : {1.4, 2.1, 1.2, 1.7}) sum += (y - x) / 0.5;
    const double z = (1 - x) / 0.5;
    return sum - 2 * std::exp(-0.5 * z * z) / std::sqrt(2 * M_PI) / normal_cdf(z);
  };
  double low = 0, high = 3;
  for (int n = 0; n < 100; ++n) (score(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  EXPECT_NEAR(estimate_of(result, "x").estimate, low, 1e-6);
  const double error = 1 / std::sqrt((score(low - 1e-4) - score(low + 1e-4)) / 2e-4 / 0.5);  // observed information
  EXPECT_NEAR(*estimate_of(result, "x").standard_error, error, 1e-3 * error);
  EXPECT_LT(result.predictions[1].residual, (1 - low) / 0.5);
}

TEST(StudentNoise, HardlyHeedsAnOutlier) {
  const FitResult with =
      fit_of(level("noise: s, distribution: student-t(4)", "s: {guess: 0.2, scale: log}", "1.4 1.5 1.3 1.45 1.38 9"));
  ASSERT_EQ(with.status, Status::converged) << with.message;
  EXPECT_NEAR(estimate_of(with, "x").estimate, 1.41, 0.05);
  // Stationary in both: sums of the weights' score, with the estimates put in.
  const double x = estimate_of(with, "x").estimate;
  const double s = estimate_of(with, "s").estimate;
  double of_x = 0, of_s = 0;
  for (const double y : {1.4, 1.5, 1.3, 1.45, 1.38, 9.0}) {
    const double u = (y - x) / s;
    of_x += 5 * u / (4 + u * u);
    of_s += 5 * u * u / (4 + u * u) - 1;
  }
  EXPECT_NEAR(of_x, 0, 1e-4);
  EXPECT_NEAR(of_s, 0, 1e-4);
}

TEST(Study, DrawsCountsAndLimitsFromTheirLaws) {
  for (const char* cells : {"3 0 5 2 4 1 3 2 4 4 1 3"}) {
    const StudyResult counts = study(level("distribution: poisson", "unused: 1", cells), {.replicates = 300}, {});
    EXPECT_NEAR(counts.quantities[0].sd, counts.quantities[0].expected_sd, 0.15 * counts.quantities[0].expected_sd);
    EXPECT_NEAR(counts.quantities[0].coverage95, 0.95, 0.04);
  }
  const StudyResult limits = study(level("noise: 0.5", "unused: 1", "1.4 <1.5 2.1 1.2 <1.5 1.7"),
                                   {.replicates = 300, .truth = {{"x", 1.7}}}, {});
  EXPECT_NEAR(limits.quantities[0].mean, 1.7, 0.08);  // values at the limit would pull it down
  EXPECT_NEAR(limits.quantities[0].coverage95, 0.95, 0.05);
}

TEST(Counts, OfPredictionsThatAreNegativeAreRefusedInWords) {
  model::Problem problem = level("distribution: poisson", "unused: 1", "3 0 5 2");
  const EvaluateResult result = evaluate(problem, {.values = {{"x", -1}}});
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.message.find("mean of counts"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace salvo::fit
