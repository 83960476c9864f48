#include <cmath>
#include <numbers>

#include "base/distributions.hpp"
#include "model/noise/location_scale.hpp"

namespace salvo::model {

Loss Normal::loss(double u, double) const { return {.value = 0.5 * u * u, .slope = u}; }
double Normal::constant() const { return 0.5 * std::log(2 * std::numbers::pi); }
double Normal::scale_information() const { return 2; }
double Normal::log_cdf(double z) const { return log_normal_cdf(z); }

// h = phi/Phi is the slope. -log Phi is convex with the curvature h (h + z) <= 1: the observed information serves as
// the expected one, which is not defined for a limit without its law.
Loss Normal::below(double z) const {
  const double log_probability = log_normal_cdf(z);
  const double h = std::exp(-0.5 * z * z - constant() - log_probability);
  constexpr double far_below = -1e4;  // h + z = 1/|z| is lost in rounding
  const double curvature = z < far_below ? 1.0 : h * (h + z);
  return {.value = -log_probability, .slope = h, .curvature = curvature, .information = curvature};
}

double Normal::normal_score(double z) const { return z; }
double Normal::quantile(double probability) const { return normal_quantile(probability); }
double Normal::draw(Random& random) const { return random.normal(); }

}  // namespace salvo::model
