#include "statistics/small_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "regression.hpp"

// Against textbook formulas, worked out here by hand.
namespace salvo::statistics {
namespace {

TEST(SmallSamples, OfALineHaveItsUnbiasedVarianceAndTwoDegreesLess) {
  const test::Line line = test::five_points();
  const SmallSamples samples = test::Regression(line.data(0), {line.sigma()}).small_samples();
  EXPECT_NEAR(std::sqrt(samples.covariance(0, 0)), line.error_of_a(), 1e-12);
  EXPECT_NEAR(std::sqrt(samples.covariance(1, 1)), line.error_of_b(), 1e-12);
  EXPECT_NEAR(samples.degrees[0], 3, 1e-9);
  EXPECT_NEAR(samples.degrees[1], 3, 1e-9);
  EXPECT_NEAR(samples.noise[2].inflation, 5. / 3, 1e-12);
  EXPECT_NEAR(samples.noise[2].degrees, 3, 1e-12);
  EXPECT_EQ(samples.noise[0].inflation, 1);  // no noise
  for (const double inflation : samples.inflation) EXPECT_NEAR(inflation, 5. / 3, 1e-12);
}

// Of the hat matrix: two of the line, and one more for its noise.
TEST(SmallSamples, CountEffectiveParametersByTraces) {
  const test::Line line = test::five_points();
  const SmallSamples samples = test::Regression(line.data(0), {line.sigma()}).small_samples();
  EXPECT_NEAR(samples.trace_of_means, 2, 1e-12);
  EXPECT_NEAR(samples.trace_of_data, 3, 1e-12);
  test::Regression with_prior({{{1}, 0}, {{1}, 0}}, {});
  with_prior.add_prior(0, 0.5);  // says as much as four data: these keep a third of the mean
  EXPECT_NEAR(with_prior.small_samples().trace_of_data, 1. / 3, 1e-13);
}

TEST(SmallSamples, LeaveErrorsThatRestOnKnownNoiseAsTheyAre) {
  const test::Line line = test::five_points();
  const test::Regression regression(line.data(-1), {});
  const SmallSamples samples = regression.small_samples();
  EXPECT_EQ(samples.covariance.data, regression.uncertainty().covariance.data);
  for (const double degrees : samples.degrees) EXPECT_EQ(degrees, std::numeric_limits<double>::infinity());
  EXPECT_EQ(samples.trace_of_means, 2);
}

// Two samples, each with a mean and a noise of its own.
struct TwoMeans {
  TwoMeans() : regression(data(), {std::sqrt(squares_of(first) / 4), std::sqrt(squares_of(second) / 7)}) {
    samples = regression.small_samples();
  }
  static double squares_of(const std::vector<double>& residuals) {
    double sum = 0;
    for (const double r : residuals) sum += r * r;
    return sum;
  }
  static std::vector<test::Datum> data() {
    std::vector<test::Datum> out;
    for (const double r : first) out.push_back({{1, 0}, r, 0});
    for (const double r : second) out.push_back({{0, 1}, r, 1});
    return out;
  }
  static double variance(int sample) { return sample == 0 ? squares_of(first) / 3 : squares_of(second) / 6; }
  inline static const std::vector<double> first{0.3, -0.5, 0.4, -0.2};
  inline static const std::vector<double> second{0.1, -0.05, 0.02, -0.12, 0.06, 0.03, -0.04};
  test::Regression regression;
  SmallSamples samples;
};

TEST(SmallSamples, OfTwoMeansAreThoseOfEach) {
  const TwoMeans two;
  EXPECT_NEAR(two.samples.covariance(0, 0), TwoMeans::variance(0) / 4, 1e-12);
  EXPECT_NEAR(two.samples.covariance(1, 1), TwoMeans::variance(1) / 7, 1e-12);
  EXPECT_NEAR(two.samples.degrees[0], 3, 1e-6);
  EXPECT_NEAR(two.samples.degrees[1], 6, 1e-6);
  EXPECT_NEAR(two.samples.noise[2].degrees, 3, 1e-6);
  EXPECT_NEAR(two.samples.noise[3].degrees, 6, 1e-6);
}

// Welch's test: the variance of the difference, and the degrees of freedom of Welch and Satterthwaite.
TEST(SpreadAlong, OfADifferenceOfMeansIsWelchs) {
  const TwoMeans two;
  const double first = TwoMeans::variance(0) / 4, second = TwoMeans::variance(1) / 7;
  const Spread spread = spread_along(two.samples, {1, -1, 0, 0});
  EXPECT_NEAR(spread.variance, first + second, 1e-12);
  EXPECT_NEAR(spread.degrees, std::pow(first + second, 2) / (first * first / 3 + second * second / 6), 1e-8);
}

// Textbook: another datum of a sample lies within s sqrt(1 + 1/n) of its mean, with Student's n - 1 degrees.
TEST(SpreadOfNew, IsThatOfAnotherDatum) {
  const TwoMeans two;
  const double of_likelihood = TwoMeans::squares_of(TwoMeans::first) / 4;
  const Spread spread = spread_of_new(two.samples, {1, 0, 0, 0}, of_likelihood, 2);
  EXPECT_NEAR(spread.variance, TwoMeans::variance(0) * (1 + 1. / 4), 1e-12);
  EXPECT_NEAR(spread.degrees, 3, 1e-8);
}

TEST(SpreadOfNew, AddsANoiseThatIsKnownWithoutDoubt) {
  const TwoMeans two;
  const double mean = TwoMeans::variance(0) / 4;
  const Spread spread = spread_of_new(two.samples, {1, 0, 0, 0}, 0.01, -1);
  EXPECT_NEAR(spread.variance, mean + 0.01, 1e-12);
  EXPECT_NEAR(spread.degrees, 3 * std::pow(mean + 0.01, 2) / (mean * mean), 1e-7);
}

// One mean with data 2 and prior 4 in information: the estimate scatters by F / (F + P)^2.
TEST(SamplingCovariance, IsThatOfShrunkenMeans) {
  test::Regression regression({{{1}, 0}, {{1}, 0}}, {});
  regression.add_prior(0, 0.5);
  const Matrix scatter =
      sampling_covariance(regression.layout, regression.blocks, regression.uncertainty(), regression.roles);
  EXPECT_NEAR(scatter(0, 0), 2. / 36, 1e-15);
}

TEST(SamplingCovariance, WithoutPriorsIsTheInverseInformation) {
  const test::Line line = test::five_points();
  const test::Regression regression(line.data(-1), {});
  EXPECT_EQ(sampling_covariance(regression.layout, regression.blocks, regression.uncertainty(), regression.roles).data,
            regression.uncertainty().covariance.data);
}

}  // namespace
}  // namespace salvo::statistics
