#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/distributions.hpp"
#include "model/noise/location_scale.hpp"

namespace salvo::model {

// A square with curvature 1/phi lies above the rounded law phi and touches it at u.
Loss Laplace::loss(double u, double smoothing) const {
  const double phi = std::sqrt(u * u + smoothing * smoothing);
  return {.value = phi, .slope = phi > 0 ? u / phi : 0.0, .curvature = phi > 0 ? 1 / phi : 1.0, .information = 1};
}

double Laplace::constant() const { return std::numbers::ln2; }
double Laplace::scale_information() const { return 1; }

double Laplace::log_cdf(double z) const { return z < 0 ? z - std::numbers::ln2 : std::log1p(-0.5 * std::exp(-z)); }

// Below the middle -log F is a straight line, which has no curvature: a square above it makes the step, and the
// information is that of being below or not, f^2 / (F (1 - F)).
Loss Laplace::below(double z) const {
  const double density = 0.5 * std::exp(-std::abs(z));
  const double probability = std::exp(log_cdf(z));
  const double h = z < 0 ? 1.0 : density / probability;
  const double observed = z < 0 ? 0.0 : h * h + h;
  return {.value = -log_cdf(z),
          .slope = h,
          .curvature = std::max(observed, h / (1 + std::abs(z))),
          .information = h * density / (1 - probability)};
}

double Laplace::normal_score(double z) const {
  const double score = -normal_quantile(0.5 * std::exp(-std::abs(z)));
  return z < 0 ? -score : score;
}

double Laplace::quantile(double probability) const {
  return probability < 0.5 ? std::log(2 * probability) : -std::log(2 * (1 - probability));
}

double Laplace::draw(Random& random) const { return random.laplace(); }

}  // namespace salvo::model
