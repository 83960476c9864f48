#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/distributions.hpp"
#include "model/noise/location_scale.hpp"

namespace salvo::model {

// The square with curvature (nu + 1)/(nu + u^2) lies above the law and touches it at u. The expected informations are
// those of [LangeLittleTaylor89].
Loss Student::loss(double u, double) const {
  const double weight = (nu + 1) / (nu + u * u);
  return {.value = 0.5 * (nu + 1) * std::log1p(u * u / nu),
          .slope = weight * u,
          .curvature = weight,
          .information = (nu + 1) / (nu + 3)};
}

double Student::constant() const {
  return log_gamma(0.5 * nu) - log_gamma(0.5 * (nu + 1)) + 0.5 * std::log(nu * std::numbers::pi);
}
double Student::scale_information() const { return 2 * nu / (nu + 3); }
double Student::log_cdf(double z) const {
  return z > 0 ? std::log1p(-student_cdf(-z, nu)) : std::log(student_cdf(z, nu));
}

// -log F is not convex far below: there a square above it makes the step. The information is that of being below or
// not, f^2 / (F (1 - F)).
Loss Student::below(double z) const {
  const Loss at = loss(z, 0);
  const double h = std::exp(-at.value - constant() - log_cdf(z));
  const double observed = h * h + h * at.slope;
  return {.value = -log_cdf(z),
          .slope = h,
          .curvature = std::max(observed, h / (1 + std::abs(z))),
          .information = h * std::exp(-at.value - constant() - log_cdf(-z))};
}

double Student::normal_score(double z) const {
  const double score = -normal_quantile(student_cdf(-std::abs(z), nu));
  return z < 0 ? -score : score;
}

double Student::quantile(double probability) const { return student_quantile(probability, nu); }
double Student::draw(Random& random) const { return student_quantile(random.uniform(), nu); }

}  // namespace salvo::model
