#include "base/distributions.hpp"

#include <algorithm>
#include <boost/math/distributions/negative_binomial.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

namespace salvo {
namespace {

namespace bm = boost::math;
namespace policies = boost::math::policies;

// What cannot be computed comes back as infinity or NaN; counts are rounded up to the least that will do.
using Quietly =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>,
                     policies::rounding_error<policies::ignore_error>, policies::promote_double<false>,
                     policies::discrete_quantile<policies::integer_round_up>>;

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

double log_normal_cdf(double z) {
  constexpr double far_below = -30;  // the series is exact to rounding there
  if (z > 0) return std::log1p(-normal_cdf(-z));
  if (z > far_below) return std::log(normal_cdf(z));
  const double w = 1 / (z * z);
  return -0.5 * z * z - std::log(-z) - 0.5 * std::log(2 * std::numbers::pi) +
         std::log1p(-w * (1 - 3 * w * (1 - 5 * w * (1 - 7 * w))));
}

double normal_quantile(double probability) { return -std::numbers::sqrt2 * bm::erfc_inv(2 * probability, Quietly{}); }

double chi_squared_survival(double chi2, double degrees_of_freedom) {
  return bm::gamma_q(0.5 * degrees_of_freedom, 0.5 * chi2, Quietly{});
}

double chi_squared_quantile(double probability, double degrees_of_freedom) {
  return 2 * bm::gamma_p_inv(0.5 * degrees_of_freedom, probability, Quietly{});
}

double student_cdf(double t, double degrees_of_freedom) {
  if (!std::isfinite(degrees_of_freedom)) return normal_cdf(t);
  return bm::cdf(bm::students_t_distribution<double, Quietly>(degrees_of_freedom), t);
}

double student_quantile(double probability, double degrees_of_freedom) {
  if (!std::isfinite(degrees_of_freedom)) return normal_quantile(probability);
  return bm::quantile(bm::students_t_distribution<double, Quietly>(degrees_of_freedom), probability);
}

double poisson_cdf(double count, double mean) { return count < 0 ? 0 : bm::gamma_q(count + 1, mean, Quietly{}); }

double poisson_quantile(double probability, double mean) {
  if (!(mean > 0)) return 0;
  return bm::quantile(bm::poisson_distribution<double, Quietly>(mean), probability);
}

double negative_binomial_cdf(double count, double mean, double dispersion) {
  return count <= -1 ? 0 : bm::ibeta(dispersion, count + 1, dispersion / (dispersion + mean), Quietly{});
}

double negative_binomial_quantile(double probability, double mean, double dispersion) {
  if (!(mean > 0)) return 0;
  const double success = dispersion / (dispersion + mean);
  return bm::quantile(bm::negative_binomial_distribution<double, Quietly>(dispersion, success), probability);
}

double log_gamma(double x) { return bm::lgamma(x, Quietly{}); }
double digamma(double x) { return bm::digamma(x, Quietly{}); }
double trigamma(double x) { return bm::trigamma(x, Quietly{}); }

}  // namespace salvo
