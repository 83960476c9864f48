#include "model/prior_mass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace salvo::model {
namespace {

constexpr int most_terms = 10'000;

// x^a e^-x / Gamma(a + 1) * (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...)
double gamma_by_series(double a, double x) {
  double term = 1;
  double sum = 1;
  for (int n = 1; n < most_terms && term > 1e-17 * sum; ++n) sum += term *= x / (a + n);
  return sum * std::exp(a * std::log(x) - x - std::lgamma(a + 1));
}

// 1 - P(a, x) as a continued fraction, by the modified method of Lentz.
double gamma_beyond(double a, double x) {
  constexpr double tiny = 1e-300;
  double b = x + 1 - a;
  double c = 1 / tiny;
  double d = 1 / b;
  double h = d;
  for (int n = 1; n < most_terms; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = an * d + b;
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    c = b + an / c;
    if (std::abs(c) < tiny) c = tiny;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return h * std::exp(a * std::log(x) - x - std::lgamma(a));
}

double normal_below(double u) { return 0.5 * std::erfc(-u / std::numbers::sqrt2); }
double laplace_below(double u) { return u < 0 ? 0.5 * std::exp(u) : 1 - 0.5 * std::exp(-u); }
double cauchy_below(double u) { return 0.5 + std::atan(u) / std::numbers::pi; }

double probability_below(const Prior& prior, double z) {
  const double a = prior.location;
  const double b = prior.spread;
  switch (prior.law) {
    case PriorLaw::normal: return normal_below((z - a) / b);
    case PriorLaw::laplace: return laplace_below((z - a) / b);
    case PriorLaw::log_normal: return normal_below((std::log(z) - a) / b);
    case PriorLaw::log_laplace: return laplace_below((std::log(z) - a) / b);
    case PriorLaw::uniform: return std::clamp((z - a) / (b - a), 0.0, 1.0);
    case PriorLaw::log_uniform: return std::clamp((std::log(z) - std::log(a)) / (std::log(b) - std::log(a)), 0.0, 1.0);
    case PriorLaw::cauchy: return cauchy_below((z - a) / b);
    case PriorLaw::gamma: return regularised_gamma(a, z / b);
    case PriorLaw::exponential: return -std::expm1(-z / b);
    case PriorLaw::chisquare: return regularised_gamma(0.5 * b, 0.5 * z);
    case PriorLaw::rayleigh: return -std::expm1(-0.5 * z * z / (b * b));
  }
  return 0;
}

}  // namespace

double regularised_gamma(double a, double x) {
  if (!(x > 0)) return 0;
  if (std::isinf(x)) return 1;
  return x < a + 1 ? gamma_by_series(a, x) : 1 - gamma_beyond(a, x);
}

double probability_between(const Prior& prior, double lower, double upper) {
  return probability_below(prior, upper) - probability_below(prior, lower);
}

}  // namespace salvo::model
