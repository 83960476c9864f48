#include "statistics/restricted_variances.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::statistics {
namespace {

// Group a has n_a data that sum to mean[a] n_a, with squares n_a about zero: at the maximum of the likelihood.
struct TwoSamples {
  std::vector<double> first{}, second{};
  std::vector<int> groups() const {
    std::vector<int> out(first.size(), 0);
    out.insert(out.end(), second.size(), 1);
    return out;
  }
  std::vector<double> all() const {
    std::vector<double> out = first;
    out.insert(out.end(), second.begin(), second.end());
    return out;
  }
};

// Textbook: the restricted variance of a sample about its own mean has n - 1 in place of n.
TEST(RestrictedVariances, OfSamplesWithMeansOfTheirOwnAreThoseOfTheTextbook) {
  const TwoSamples samples{{1.0, -1.5, 0.5}, {1.0, -1.0, 0.5, -0.5, 0.25, -0.25}};
  Matrix M(2, 9);
  for (int i = 0; i < 3; ++i) M(0, i) = 1 / std::sqrt(3.0);
  for (int i = 3; i < 9; ++i) M(1, i) = 1 / std::sqrt(6.0);
  const auto c = restricted_variances({M, samples.all(), samples.groups()}, {1.5, 1.2});
  double first = 0, second = 0;
  for (const double r : samples.first) first += r * r / 2;
  for (const double r : samples.second) second += r * r / 5;
  EXPECT_NEAR(c[0], std::max(1.0, first), 1e-6);
  EXPECT_EQ(c[1], std::max(1.0, second));
  EXPECT_GT(first, 1);   // one that counts ...
  EXPECT_LT(second, 1);  // ... and one below 1, where a variance of maximum likelihood is never
}

// -2 log of the restricted likelihood of two samples about one mean, with every constant left out.
double restricted_likelihood(const TwoSamples& samples, double c_0, double c_1) {
  const double n_0 = static_cast<double>(samples.first.size());
  const double n_1 = static_cast<double>(samples.second.size());
  double sum = 0;
  for (const double r : samples.first) sum += r / c_0;
  for (const double r : samples.second) sum += r / c_1;
  const double information = n_0 / c_0 + n_1 / c_1;
  const double mean = sum / information;
  double squares = 0;
  for (const double r : samples.first) squares += (r - mean) * (r - mean) / c_0;
  for (const double r : samples.second) squares += (r - mean) * (r - mean) / c_1;
  return n_0 * std::log(c_0) + n_1 * std::log(c_1) + std::log(information) + squares;
}

TEST(RestrictedVariances, OfTwoSamplesAboutOneMeanMaximiseTheRestrictedLikelihood) {
  const TwoSamples samples{{2.5, -1.5, 0.5, -2.0}, {1.7, -1.9, 1.5, -0.5, 1.25, -2.25}};
  Matrix M(1, 10);
  for (int i = 0; i < 10; ++i) M(0, i) = 1 / std::sqrt(10.0);
  const auto c = restricted_variances({M, samples.all(), samples.groups()}, {1.3, 1.1});
  ASSERT_GT(c[0], 1);
  ASSERT_GT(c[1], 1);
  const double h = 1e-4;
  const double by_first = restricted_likelihood(samples, c[0] * std::exp(h), c[1]) -
                          restricted_likelihood(samples, c[0] * std::exp(-h), c[1]);
  const double by_second = restricted_likelihood(samples, c[0], c[1] * std::exp(h)) -
                           restricted_likelihood(samples, c[0], c[1] * std::exp(-h));
  EXPECT_NEAR(by_first / (2 * h), 0, 1e-5);
  EXPECT_NEAR(by_second / (2 * h), 0, 1e-5);
  EXPECT_LT(restricted_likelihood(samples, c[0], c[1]), restricted_likelihood(samples, 1.3, 1.1));
}

TEST(RestrictedVariances, StayWhereTheyWereIfTheRowsAreNoNumbers) {
  Matrix M(1, 2);
  M(0, 0) = M(0, 1) = std::nan("");
  EXPECT_EQ(restricted_variances({M, {1, -1}, {0, 1}}, {1.5, 1.25}), (std::vector<double>{1.5, 1.25}));
}

}  // namespace
}  // namespace salvo::statistics
