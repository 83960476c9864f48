#include "model/noise/counts.hpp"

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"

namespace salvo::model {
namespace {

// -llh = mu - y log mu + log y!;  information 1/mu.
void poisson_rows(double y, double mu, NoiseRow& row) {
  row.llh = (y > 0 ? y * std::log(mu) : 0.0) - mu - log_gamma(y + 1);
  row.weight_g = mu > 0 ? 1 / std::sqrt(mu) : 1.0;  // nothing counted where nothing is expected: any weight will do
  row.r_g = mu > 0 ? (mu - y) / std::sqrt(mu) : 1.0;
}

// The expected information of k: trigamma(k) - E trigamma(Y + k) - mu / (k (k + mu)), the sum over
// P(Y > j) / (k + j)^2. Where that sum is long, that of the gamma law that Y / mu tends to.
double dispersion_information(double mu, double k) {
  constexpr double longest = 20'000;
  const double last = mu + 12 * std::sqrt(mu + mu * mu / k) + 30;
  if (last > longest) return std::max(trigamma(k) - 1 / k, 0.0);
  double mass = std::exp(k * std::log(k / (k + mu)));  // P(Y = 0)
  double above = 1 - mass;
  double sum = 0;
  for (double j = 0; j < last && above > 0; ++j) {
    sum += above / ((k + j) * (k + j));
    mass *= (k + j) / (j + 1) * mu / (k + mu);
    above -= mass;
  }
  return std::max(sum - mu / (k * (k + mu)), 0.0);
}

// -llh = -log C(y + k - 1, y) - k log(k / (k + mu)) - y log(mu / (k + mu));  mu and k are orthogonal. For steps, the
// information of k is that of a normal law of the same variance, ((dV/dk) / V)^2 / 2.
void negative_binomial_rows(double y, double mu, double k, RowsFor purpose, NoiseRow& row) {
  row.llh = log_gamma(y + k) - log_gamma(k) - log_gamma(y + 1) - k * std::log1p(mu / k) +
            (y > 0 ? y * std::log(mu / (k + mu)) : 0.0);
  const double root = mu > 0 ? std::sqrt(k / (mu * (k + mu))) : 1.0;
  row.weight_g = root;
  row.r_g = mu > 0 ? (mu - y) * root : 1.0;
  const double by_k = -(digamma(y + k) - digamma(k) - std::log1p(mu / k) + (mu - y) / (k + mu));
  const double relative = mu / (k * (k + mu));
  const double information =
      purpose == RowsFor::information ? dispersion_information(mu, k) : 0.5 * relative * relative;
  constexpr double least = 1e-30;  // counts of this mean say nothing of k
  row.weight_sigma = std::sqrt(std::max(information, least));
  row.r_sigma = by_k / row.weight_sigma;
}

double cdf(const Law& law, double count, double mu, double k) {
  return law.distribution == Distribution::poisson ? poisson_cdf(count, mu) : negative_binomial_cdf(count, mu, k);
}

}  // namespace

double count_deviation(const Law& law, double g, double k) {
  const double mean = std::max(g, 0.0);
  return std::sqrt(law.distribution == Distribution::poisson ? mean : mean + mean * mean / k);
}

NoiseRow count_row(const Law& law, const Datum& datum, double g, double k, RowsFor purpose) {
  NoiseRow row;
  if (law.distribution == Distribution::poisson)
    poisson_rows(datum.value, g, row);
  else
    negative_binomial_rows(datum.value, g, k, purpose, row);
  row.objective = -row.llh;
  row.residual = g > 0 ? (datum.value - g) / count_deviation(law, g, k) : 0;
  return row;
}

double count_residual(const Law& law, const Datum& datum, double g, double k, double share) {
  const double below = cdf(law, datum.value - 1, g, k);
  const double upto = cdf(law, datum.value, g, k);
  return normal_quantile(below + share * (upto - below));
}

double count_quantile(const Law& law, double probability, double g, double k) {
  return law.distribution == Distribution::poisson ? poisson_quantile(probability, g)
                                                   : negative_binomial_quantile(probability, g, k);
}

}  // namespace salvo::model
