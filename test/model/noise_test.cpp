#include "model/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "helpers/differences.hpp"

namespace salvo::model {
namespace {

constexpr double pi = std::numbers::pi;
constexpr Distribution all_laws[] = {Distribution::normal, Distribution::log_normal, Distribution::laplace,
                                     Distribution::log_laplace, Distribution::student_t};
constexpr double nu = 4;

NoiseRow row(Distribution law, double eta, double g, double sigma, double smoothing = 0,
             RowsFor purpose = RowsFor::step) {
  return noise_row({law, nu}, {eta}, g, sigma, smoothing, purpose);
}

NoiseRow ratio_row(Distribution law, double eta, double g, double sigma, double small) {
  return model::ratio_row({law, nu}, {eta}, g, sigma, small);
}

TEST(NoiseRow, LikelihoodIsTheLogarithmOfTheDensity) {
  const double m = 1.3;
  const double y = 0.9;
  const double s = 0.4;
  const double difference = (m - y) / s;
  const double of_logarithms = (std::log(m) - std::log(y)) / s;
  EXPECT_NEAR(row(Distribution::normal, m, y, s).llh, -0.5 * std::log(2 * pi * s * s) - 0.5 * difference * difference,
              1e-14);
  EXPECT_NEAR(row(Distribution::log_normal, m, y, s).llh,
              -0.5 * std::log(2 * pi * s * s * m * m) - 0.5 * of_logarithms * of_logarithms, 1e-14);
  EXPECT_NEAR(row(Distribution::laplace, m, y, s).llh, -std::log(2 * s) - std::abs(difference), 1e-14);
  EXPECT_NEAR(row(Distribution::log_laplace, m, y, s).llh, -std::log(2 * s * m) - std::abs(of_logarithms), 1e-14);
  EXPECT_NEAR(row(Distribution::normal, m, y, s).residual, difference, 1e-14);
  EXPECT_NEAR(row(Distribution::log_laplace, m, y, s).residual, of_logarithms, 1e-14);
}

// Each density integrates to one over eta: the Jacobian of the logarithm is in it.
TEST(NoiseRow, DensitiesIntegrateToOne) {
  for (const Distribution law : all_laws) {
    const bool logarithmic = law == Distribution::log_normal || law == Distribution::log_laplace;
    double sum = 0;
    const double h = 1e-4;
    const double end = law == Distribution::student_t ? 100 : 8;  // its tails are heavy
    for (double z = -end + h / 2; z < end; z += h) {              // eta = e^z for the logarithmic laws
      const double eta = logarithmic ? std::exp(z) : z;
      sum += h * (logarithmic ? eta : 1.0) * std::exp(row(law, eta, 0.9, 0.4).llh);
    }
    EXPECT_NEAR(sum, 1, 1e-6) << to_string(law);
  }
}

TEST(NoiseRow, RowsGiveTheExactGradientOfTheObjective) {
  for (const Distribution law : all_laws) {
    for (const RowsFor purpose : {RowsFor::step, RowsFor::information}) {
      for (const double g : {0.5, 1.299, 1.7}) {
        const double smoothing = has_corner(law) ? 0.3 : 0;
        const NoiseRow at = row(law, 1.3, g, 0.4, smoothing, purpose);
        const auto by_g = [&](double value) {
          return std::vector<double>{row(law, 1.3, value, 0.4, smoothing, purpose).objective};
        };
        const auto by_sigma = [&](double value) {
          return std::vector<double>{row(law, 1.3, g, value, smoothing, purpose).objective};
        };
        EXPECT_NEAR(at.r_g * at.weight_g, test::difference(by_g, g, 3e-4)[0], 1e-9) << to_string(law) << " " << g;
        EXPECT_NEAR(at.r_sigma * at.weight_sigma, test::difference(by_sigma, 0.4, 3e-4)[0], 1e-9)
            << to_string(law) << " " << g;
      }
    }
  }
}

// E[score^2] over the law itself, by a sum over eta.
TEST(NoiseRow, WeightsForInformationAreFishersInformation) {
  const double g = 0.9;
  const double sigma = 0.4;
  for (const Distribution law : all_laws) {
    const bool logarithmic = law == Distribution::log_normal || law == Distribution::log_laplace;
    double of_g = 0;
    double of_sigma = 0;
    const double h = 1e-3;
    const double end = law == Distribution::student_t ? 200 : 14;
    for (double z = -end + h / 2; z < end; z += h) {
      const double eta = logarithmic ? std::exp(z) : z;
      const NoiseRow at = row(law, eta, g, sigma, 0, RowsFor::information);
      const double mass = h * (logarithmic ? eta : 1.0) * std::exp(at.llh);
      of_g += mass * std::pow(at.r_g * at.weight_g, 2);
      of_sigma += mass * std::pow(at.r_sigma * at.weight_sigma, 2);
    }
    const NoiseRow any = row(law, 1.1, g, sigma, 0, RowsFor::information);
    EXPECT_NEAR(any.weight_g * any.weight_g, of_g, 1e-3 * of_g) << to_string(law);
    EXPECT_NEAR(any.weight_sigma * any.weight_sigma, of_sigma, 1e-3 * of_sigma) << to_string(law);
  }
}

// A step on the rows of a law with a corner never goes up: their square lies above the objective and touches it.
TEST(NoiseRow, TheSquareOfALaplaceStepLiesAboveTheLaw) {
  const double smoothing = 0.05;
  const NoiseRow at = row(Distribution::laplace, 1.3, 0.8, 0.4, smoothing);
  for (double g = -2; g < 4; g += 0.01) {
    const double square = 0.5 * std::pow(at.r_g + at.weight_g * (g - 0.8), 2) - 0.5 * at.r_g * at.r_g + at.objective;
    EXPECT_GE(square, row(Distribution::laplace, 1.3, g, 0.4, smoothing).objective - 1e-12) << g;
  }
}

TEST(NoiseRow, AnExactPredictionUnderALawWithACornerHasAFiniteGradient) {
  for (const Distribution law : {Distribution::laplace, Distribution::log_laplace})
    for (const RowsFor purpose : {RowsFor::step, RowsFor::information})
      EXPECT_EQ(row(law, 1.3, 1.3, 0.4, 0, purpose).r_g * row(law, 1.3, 1.3, 0.4, 0, purpose).weight_g, 0);
}

TEST(NoiseRow, RefusesWhatHasNoLikelihood) {
  EXPECT_FALSE(row(Distribution::normal, 1, 1, 0).ok);
  EXPECT_FALSE(row(Distribution::normal, 1, 1, -0.1).ok);
  EXPECT_FALSE(row(Distribution::normal, 1, std::nan(""), 0.1).ok);
  EXPECT_FALSE(row(Distribution::log_normal, 1, -0.2, 0.1).ok);
  EXPECT_FALSE(row(Distribution::log_laplace, 1, 0, 0.1).ok);
  EXPECT_TRUE(row(Distribution::laplace, 1, -0.2, 0.1).ok);
  EXPECT_EQ(row(Distribution::log_normal, 1, -0.2, 0.1).llh, -INFINITY);
}

TEST(RatioRow, GivesTheExactGradientOfItsObjective) {
  for (const Distribution law : all_laws)
    for (const double g : {-0.6, 0.0, 0.02, 0.9, 1.7}) {
      const NoiseRow at = ratio_row(law, 1.3, g, 0.4, 0.1);
      const auto objective = [&](double value) {
        return std::vector<double>{ratio_row(law, 1.3, value, 0.4, 0.1).objective};
      };
      EXPECT_NEAR(at.r_g * at.weight_g / test::difference(objective, g, 1e-3)[0], 1, 1e-6)
          << to_string(law) << " " << g;
      EXPECT_NEAR(at.objective, 0.5 * at.r_g * at.r_g, 1e-14);
    }
}

// asinh(x / 2) = log x + O(1/x^2).
TEST(RatioRow, IsADifferenceOfLogarithmsWhereBothAreLarge) {
  const double small = 1e-6;
  EXPECT_NEAR(ratio_row(Distribution::normal, 2, 30, 0.6, small).r_g, std::log(30.0 / 2) / 0.3, 1e-10);
  EXPECT_NEAR(ratio_row(Distribution::log_normal, 2, 30, 0.6, small).r_g, std::log(30.0 / 2) / 0.6, 1e-10);
  EXPECT_NEAR(ratio_row(Distribution::normal, 2, 1e12, 0.6, small).r_g, std::log(1e12 / 2) / 0.3, 1e-9);
}

TEST(RatioRow, IsFiniteForPredictionsThatHaveNoLogarithm) {
  for (const Distribution law : all_laws)
    for (const double g : {0.0, -1e-9, -3.0, -1e9}) {
      const NoiseRow at = ratio_row(law, 1.3, g, 0.4, 1e-3);
      EXPECT_TRUE(at.ok) << g;
      EXPECT_TRUE(std::isfinite(at.r_g) && std::isfinite(at.weight_g) && std::isfinite(at.objective)) << g;
      EXPECT_LT(at.r_g, 0) << g;  // below the datum
    }
}

TEST(RatioRow, IsZeroWhereThePredictionIsTheDatum) {
  for (const double eta : {-2.0, 0.0, 1e-9, 5.0})
    EXPECT_EQ(ratio_row(Distribution::normal, eta, eta, 0.1, 1e-3).r_g, 0);
}

// rho, as the quotient of the logarithm of a ratio and the row.
TEST(RatioRow, KeepsTheRelativeNoiseBetweenATenthAndOne) {
  const auto rho = [](Distribution law, double sigma) {
    return std::log(5.0) / ratio_row(law, 2, 10, sigma, 1e-6).r_g;
  };
  for (const Distribution law : {Distribution::normal, Distribution::laplace}) {
    EXPECT_NEAR(rho(law, 1e-5), 0.1, 1e-9);
    EXPECT_NEAR(rho(law, 0.5), 0.25, 1e-9);  // relative to the datum
    EXPECT_NEAR(rho(law, 1e3), 1, 1e-9);
  }
  for (const Distribution law : {Distribution::log_normal, Distribution::log_laplace}) {
    EXPECT_NEAR(rho(law, 1e-5), 0.1, 1e-9);
    EXPECT_NEAR(rho(law, 0.5), 0.5, 1e-9);
    EXPECT_NEAR(rho(law, 1e3), 1, 1e-9);
  }
  EXPECT_NEAR(ratio_row(Distribution::normal, 0, 1, 0.03, 0.1).weight_g, 1 / (0.3 * std::sqrt(1 + 0.04)), 1e-12);
}

TEST(RatioRow, SaysNothingAboutSigma) {
  const NoiseRow at = ratio_row(Distribution::normal, 1, 2, 0.3, 1e-3);
  EXPECT_EQ(at.r_sigma, 0);
  EXPECT_EQ(at.weight_sigma, 0);
}

TEST(RatioRow, RefusesWhatIsNoNumber) {
  EXPECT_FALSE(ratio_row(Distribution::normal, 1, 1, 0, 1e-3).ok);
  EXPECT_FALSE(ratio_row(Distribution::normal, 1, 1, INFINITY, 1e-3).ok);
  EXPECT_FALSE(ratio_row(Distribution::normal, 1, std::nan(""), 0.1, 1e-3).ok);
  EXPECT_FALSE(ratio_row(Distribution::normal, 1, INFINITY, 0.1, 1e-3).ok);
  EXPECT_EQ(ratio_row(Distribution::normal, 1, 1, -1, 1e-3).objective, INFINITY);
}

// --- limits
// -----------------------------------------------------------------------------------------------------------

TEST(Limit, CountsWithTheProbabilityOfItsSide) {
  const double h = 1e-4;
  for (const Distribution law : all_laws) {
    const bool logarithmic = is_logarithmic(law);
    const double limit = 0.7;
    const double end = law == Distribution::student_t ? 100 : 8;
    double below = 0;
    for (double z = (logarithmic ? std::log(limit) : limit) - h / 2; z > -end; z -= h) {
      const double eta = logarithmic ? std::exp(z) : z;
      below += h * (logarithmic ? eta : 1.0) * std::exp(row(law, eta, 0.9, 0.4).llh);
    }
    const auto llh = [&](Censored side) { return noise_row({law, nu}, {limit, side}, 0.9, 0.4, 0, RowsFor::step).llh; };
    EXPECT_NEAR(std::exp(llh(Censored::below)), below, 1e-6) << to_string(law);
    EXPECT_NEAR(std::exp(llh(Censored::above)), 1 - below, 1e-6) << to_string(law);
  }
}

// Before a lag or the first dose there is nothing, and noise that multiplies leaves it so.
TEST(Limit, NothingIsSurelyBelowIt) {
  const Law law{.distribution = Distribution::log_normal};
  const NoiseRow row = noise_row(law, {0.1, Censored::below}, 0, 0.2, 0, RowsFor::step);
  EXPECT_TRUE(row.ok);
  EXPECT_EQ(row.llh, 0);
  EXPECT_EQ(row.weight_g, 0);
  EXPECT_FALSE(noise_row(law, {0.1, Censored::above}, 0, 0.2, 0, RowsFor::step).ok);
  EXPECT_FALSE(noise_row(law, {0.1, Censored::no}, 0, 0.2, 0, RowsFor::step).ok);
  EXPECT_TRUE(std::isfinite(quantile_residual(law, {0.1, Censored::below}, 0, 0.2, 1)));
}

TEST(Limit, RowGivesTheExactGradientOfTheObjective) {
  for (const Distribution law : all_laws)
    for (const Censored side : {Censored::below, Censored::above})
      for (const RowsFor purpose : {RowsFor::step, RowsFor::information})
        for (const double g : {0.3, 0.69, 1.4}) {
          const auto at = [&](double prediction, double sigma) {
            return noise_row({law, nu}, {0.7, side}, prediction, sigma, 0, purpose);
          };
          const auto by_g = [&](double value) { return std::vector<double>{at(value, 0.4).objective}; };
          const auto by_sigma = [&](double value) { return std::vector<double>{at(g, value).objective}; };
          const NoiseRow here = at(g, 0.4);
          EXPECT_NEAR(here.r_g * here.weight_g, test::difference(by_g, g, 3e-4)[0], 1e-8) << to_string(law) << g;
          EXPECT_NEAR(here.r_g * here.weight_cross + here.r_sigma * here.weight_sigma,
                      test::difference(by_sigma, 0.4, 3e-4)[0], 1e-8)
              << to_string(law) << g;
        }
}

// Far on the wrong side the probability underflows, the row does not.
TEST(Limit, IsFiniteHoweverFarThePredictionIs) {
  for (const double g : {-1e3, 1e3, 1e8})
    for (const Distribution law : {Distribution::normal, Distribution::laplace, Distribution::student_t})
      for (const Censored side : {Censored::below, Censored::above}) {
        const NoiseRow at = noise_row({law, nu}, {1, side}, g, 0.1, 0, RowsFor::step);
        EXPECT_TRUE(std::isfinite(at.r_g) && std::isfinite(at.weight_g)) << to_string(law) << " " << g;
      }
}

// -log Phi is nearly a square far on the wrong side: its curvature is that of a number at the limit.
TEST(Limit, FarOnTheWrongSideANormalLimitIsLikeANumber) {
  const NoiseRow at = noise_row({}, {1, Censored::below}, 51, 0.5, 0, RowsFor::information);
  EXPECT_NEAR(at.weight_g, 1 / 0.5, 1e-3);
  EXPECT_NEAR(at.r_g, 100, 0.1);
}

// --- counts
// -----------------------------------------------------------------------------------------------------------

NoiseRow count(Distribution law, double y, double mu, double k, RowsFor purpose = RowsFor::information) {
  return noise_row({law}, {y}, mu, k, 0, purpose);
}

TEST(Counts, ProbabilitiesAddUpWithTheStatedMeanAndVariance) {
  for (const Distribution law : {Distribution::poisson, Distribution::negative_binomial}) {
    const double mu = 3.7;
    const double k = 2.5;
    double sum = 0, mean = 0, square = 0;
    for (double y = 0; y < 400; ++y) {
      const double p = std::exp(count(law, y, mu, k).llh);
      sum += p, mean += p * y, square += p * y * y;
    }
    EXPECT_NEAR(sum, 1, 1e-12) << to_string(law);
    EXPECT_NEAR(mean, mu, 1e-10) << to_string(law);
    const double variance = law == Distribution::poisson ? mu : mu + mu * mu / k;
    EXPECT_NEAR(square - mean * mean, variance, 1e-8) << to_string(law);
    EXPECT_NEAR(spread({law}, mu, k), std::sqrt(variance), 1e-12);
  }
}

TEST(Counts, RowsGiveTheExactGradientOfTheObjective) {
  for (const Distribution law : {Distribution::poisson, Distribution::negative_binomial})
    for (const RowsFor purpose : {RowsFor::step, RowsFor::information})
      for (const double y : {0.0, 1.0, 9.0}) {
        const NoiseRow at = count(law, y, 3.7, 2.5, purpose);
        const auto by_g = [&](double value) { return std::vector<double>{count(law, y, value, 2.5).objective}; };
        const auto by_k = [&](double value) { return std::vector<double>{count(law, y, 3.7, value).objective}; };
        EXPECT_NEAR(at.r_g * at.weight_g, test::difference(by_g, 3.7, 1e-3)[0], 1e-8) << to_string(law) << y;
        EXPECT_NEAR(at.r_sigma * at.weight_sigma, test::difference(by_k, 2.5, 1e-3)[0], 1e-8) << to_string(law) << y;
      }
}

// E[score^2] by a sum over all counts.
TEST(Counts, WeightsForInformationAreFishersInformation) {
  for (const Distribution law : {Distribution::poisson, Distribution::negative_binomial})
    for (const double mu : {0.3, 3.7, 40.0}) {
      double of_g = 0, of_k = 0;
      for (double y = 0; y < 3000; ++y) {
        const NoiseRow at = count(law, y, mu, 2.5);
        of_g += std::exp(at.llh) * std::pow(at.r_g * at.weight_g, 2);
        of_k += std::exp(at.llh) * std::pow(at.r_sigma * at.weight_sigma, 2);
      }
      const NoiseRow any = count(law, 2, mu, 2.5);
      EXPECT_NEAR(any.weight_g * any.weight_g, of_g, 1e-8 * of_g) << to_string(law) << mu;
      EXPECT_NEAR(any.weight_sigma * any.weight_sigma, of_k, 1e-6 * of_k) << to_string(law) << mu;
    }
}

// --- residuals and draws ---------------------------------------------------------------------------------------------

TEST(QuantileResidual, IsThePlainOneUnderANormalLaw) {
  EXPECT_DOUBLE_EQ(quantile_residual({}, {1.3}, 0.9, 0.4, 7), 1.0);
  EXPECT_DOUBLE_EQ(quantile_residual({Distribution::log_normal}, {2}, 1, 0.5, 7), std::log(2.0) / 0.5);
}

// Draws of every law, turned into residuals, have the mean and variance of normal numbers; n = 4000: four sigmas.
TEST(QuantileResidual, OfDrawsIsANormalNumberUnderEveryLaw) {
  for (const auto& [law, name] : Names<Distribution>::all) {
    Random random(11);
    double sum = 0, squares = 0;
    constexpr int n = 4000;
    for (int i = 0; i < n; ++i) {
      const double y = draw({law, nu}, 3.2, 0.8, random);
      const double z = quantile_residual({law, nu}, {y}, 3.2, 0.8, i);
      sum += z, squares += z * z;
    }
    EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n)) << name;
    EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2.0 / n)) << name;
  }
}

TEST(QuantileResidual, OfALimitLiesBeyondIt) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_LT(quantile_residual({}, {0.5, Censored::below}, 0.9, 0.4, i), -1);
    EXPECT_GT(quantile_residual({}, {1.3, Censored::above}, 0.9, 0.4, i), 1);
  }
}

TEST(Quantile, IsReachedWithItsProbability) {
  for (const auto& [law, name] : Names<Distribution>::all) {
    Random random(5);
    int below = 0;
    constexpr int n = 4000;
    const double limit = quantile({law, nu}, 0.9, 30, 0.8);
    for (int i = 0; i < n; ++i) below += draw({law, nu}, 30, 0.8, random) <= limit ? 1 : 0;
    const double slack = is_count(law) ? 0.03 : 0;  // the least count that reaches it
    EXPECT_NEAR(below / double{n}, 0.9 + slack / 2, 0.02 + slack / 2) << name;
  }
}

}  // namespace
}  // namespace salvo::model
