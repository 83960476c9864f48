#include "statistics/residual_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/distributions.hpp"

namespace salvo::statistics {
namespace {

constexpr double no_weight = 1e-9;  // of an eigenvalue that is zero but for rounding

double power_sum(const ResidualLaw& law, int power) {
  double sum = law.ones;
  for (const double weight : law.weights) sum += std::pow(weight, power);
  return sum;
}

}  // namespace

double ResidualLaw::degrees() const { return std::accumulate(weights.begin(), weights.end(), ones); }

// A quantity of which no datum tells has an eigenvalue of 1 that belongs to no residual: where there are more
// quantities than data, the largest are left out.
ResidualLaw residual_law(int data, int quantities, std::vector<double> by_priors) {
  std::sort(by_priors.begin(), by_priors.end(), std::greater<>());
  const int without = std::clamp(quantities - data, 0, static_cast<int>(by_priors.size()));
  by_priors.erase(by_priors.begin(), by_priors.begin() + without);
  for (double& weight : by_priors) weight = std::min(weight, 1.0);
  std::erase_if(by_priors, [](double weight) { return !(weight > no_weight); });
  return {.ones = static_cast<double>(std::max(data - quantities, 0)), .weights = std::move(by_priors)};
}

double survival(const ResidualLaw& law, double squares) {
  const double c1 = power_sum(law, 1);
  const double c2 = power_sum(law, 2);
  const double c3 = power_sum(law, 3);
  if (!(c1 > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double degrees = c2 * c2 * c2 / (c3 * c3);
  return chi_squared_survival(std::max(0.0, degrees + (squares - c1) * std::sqrt(degrees / c2)), degrees);
}

}  // namespace salvo::statistics
