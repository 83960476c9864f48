#include "model/prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/prior_mass.hpp"

namespace salvo::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One prior of every law, with numbers that it can have.
std::vector<Prior> all_priors() {
  std::vector<Prior> all;
  for (const auto& [law, name] : Names<PriorLaw>::all) {
    Prior prior{.law = law, .location = 1.2, .spread = 0.7};
    if (law == PriorLaw::uniform || law == PriorLaw::log_uniform) prior = {.law = law, .location = 0.2, .spread = 6};
    all.push_back(prior);
  }
  return all;
}

Estimated with(const Prior& prior, Scale scale) { return {.guess = 1, .scale = scale, .prior = prior}; }

double llh(const Prior& prior, double value) { return prior_row(with(prior, Scale::lin), value, 0, RowsFor::step).llh; }

double integral(const Prior& prior, double from, double to) {
  double sum = 0;
  const int steps = 20'000;
  const double h = (to - from) / steps;
  for (int k = 0; k < steps; ++k) sum += h * std::exp(llh(prior, from + (k + 0.5) * h));
  return sum;
}

// Within bounds, so that the mass that the law has there is tested too: by the density, summed up.
TEST(Prior, DensityAndMassBelongTogether) {
  for (const Prior& prior : all_priors())
    EXPECT_NEAR(std::log(integral(prior, 0.4, 3.5)), log_mass_between(prior, 0.4, 3.5), 1e-6) << to_string(prior.law);
}

TEST(Prior, WhatIsCutAtTheBoundsIntegratesToOne) {
  for (Prior prior : all_priors()) {
    if (prior.law == PriorLaw::uniform || prior.law == PriorLaw::log_uniform) continue;  // their own ends are moved
    prior.log_mass = log_mass_between(prior, 0.4, 3.5);
    EXPECT_NEAR(integral(prior, 0.4, 3.5), 1, 1e-6) << to_string(prior.law);
  }
}

TEST(Prior, RowsGiveTheExactGradientOfTheObjective) {
  for (const Prior& prior : all_priors())
    for (const Scale scale : {Scale::lin, Scale::log, Scale::log10})
      for (const RowsFor purpose : {RowsFor::step, RowsFor::information})
        for (const double value : {0.6, 1.9}) {
          const double smoothing = has_corner(prior.law) ? 0.3 : 0;
          const Estimated estimated = with(prior, scale);
          const double scaled = to_scale(scale, value);
          const PriorRow row = prior_row(estimated, scaled, smoothing, purpose);
          const double h = 1e-6;
          const double slope = (prior_row(estimated, scaled + h, smoothing, purpose).objective -
                                prior_row(estimated, scaled - h, smoothing, purpose).objective) /
                               (2 * h);
          EXPECT_NEAR(row.r * row.slope, slope, 1e-7 * (1 + std::abs(slope)))
              << to_string(prior.law) << " on " << to_string(scale);
        }
}

TEST(Prior, OfTheScaleSeesTheScaledValue) {
  const Prior prior{.law = PriorLaw::normal, .location = -1, .spread = 0.5, .on_scale = true};
  const PriorRow row = prior_row(with(prior, Scale::log10), -0.5, 0, RowsFor::step);
  EXPECT_NEAR(row.llh, -0.5 * std::log(2 * std::numbers::pi) - std::log(0.5) - 0.5, 1e-14);
}

TEST(Prior, SaysImpossibleWhereItsLawHasNothing) {
  EXPECT_EQ(llh({.law = PriorLaw::uniform, .location = 1, .spread = 2}, 2.5), -infinity);
  EXPECT_EQ(llh({.law = PriorLaw::gamma, .location = 2, .spread = 1}, -1), -infinity);
  EXPECT_EQ(llh({.law = PriorLaw::log_normal, .location = 0, .spread = 1}, 0), -infinity);
}

// P(1/2, x) = erf(sqrt x), P(1, x) = 1 - exp(-x), P(3, x) = 1 - exp(-x) (1 + x + x^2/2).
TEST(RegularisedGamma, MeetsItsClosedForms) {
  for (const double x : {0.01, 0.3, 1.0, 1.49, 1.51, 4.0, 12.0, 40.0}) {
    EXPECT_NEAR(regularised_gamma(0.5, x), std::erf(std::sqrt(x)), 1e-14) << x;
    EXPECT_NEAR(regularised_gamma(1, x), -std::expm1(-x), 1e-14) << x;
    EXPECT_NEAR(regularised_gamma(3, x), 1 - std::exp(-x) * (1 + x + 0.5 * x * x), 1e-14) << x;
  }
}

}  // namespace
}  // namespace salvo::model
