#include "model/noise/location_scale.hpp"

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"

namespace salvo::model {
namespace {

// A number: -llh = rho(u) + log sigma + constant, u = (g - y) / sigma.
template <class U>
void number_rows(const U& law, double u, double sigma, double smoothing, RowsFor purpose, NoiseRow& row) {
  const Loss loss = law.loss(u, smoothing);
  const double exact = smoothing > 0 ? law.loss(u, 0).value : loss.value;
  row.llh = -exact - std::log(sigma) - law.constant();
  row.objective = loss.value + std::log(sigma) + law.constant();
  const double root = std::sqrt(purpose == RowsFor::step ? loss.curvature : loss.information);
  row.weight_g = root / sigma;
  row.r_g = loss.slope / root;
  const double scale_root = std::sqrt(law.scale_information());
  row.weight_sigma = scale_root / sigma;
  row.r_sigma = (1 - u * loss.slope) / scale_root;
  row.residual = -u;
}

// A limit: -llh = -log F(z) with z = (L - g) / sigma below it and (g - L) / sigma above. One row is made of
// dz = -+dg / sigma - z dsigma / sigma, so that its square knows how the two belong together.
template <class U>
void limit_rows(const U& law, double u, double sigma, Censored censored, RowsFor purpose, NoiseRow& row) {
  const double towards = censored == Censored::below ? 1 : -1;
  const double z = -towards * u;
  const Loss loss = law.below(z);
  constexpr double least = 1e-100;  // a limit that is far away says nothing, and is divided by
  const double root = std::sqrt(std::max(purpose == RowsFor::step ? loss.curvature : loss.information, least));
  row.llh = -loss.value;
  row.objective = loss.value;
  row.weight_g = towards * root / sigma;
  row.weight_cross = z * root / sigma;
  row.r_g = loss.slope / root;
}

double distance(const Law& law, double value, double g, double sigma) {
  return is_logarithmic(law.distribution) ? (std::log(g) - std::log(value)) / sigma : (g - value) / sigma;
}

double moved(const Law& law, double g, double by) {
  return is_logarithmic(law.distribution) ? g * std::exp(by) : g + by;
}

}  // namespace

NoiseRow location_scale_row(const Law& law, const Datum& datum, double g, double sigma, double smoothing,
                            RowsFor purpose) {
  NoiseRow row;
  const bool logarithmic = is_logarithmic(law.distribution);
  const double u = distance(law, datum.value, g, sigma);
  with_standard(law, [&](const auto& standard) {
    if (datum.censored == Censored::no)
      number_rows(standard, u, sigma, smoothing, purpose, row);
    else
      limit_rows(standard, u, sigma, datum.censored, purpose, row);
  });
  if (!logarithmic) return row;
  row.weight_g /= g;
  if (datum.censored != Censored::no) return row;  // a probability, not a density
  row.llh -= std::log(datum.value);                // the density is that of the value itself, not of its logarithm
  row.objective += std::log(datum.value);
  return row;
}

double location_scale_residual(const Law& law, const Datum& datum, double g, double sigma, double share) {
  const double z = -distance(law, datum.value, g, sigma);
  return with_standard(law, [&](const auto& standard) {
    if (datum.censored == Censored::no) return standard.normal_score(z);
    const double side = datum.censored == Censored::below ? 1 : -1;
    return side * normal_quantile(share * std::exp(standard.log_cdf(side * z)));
  });
}

double location_scale_draw(const Law& law, double g, double sigma, Random& random) {
  return moved(law, g, sigma * with_standard(law, [&](const auto& standard) { return standard.draw(random); }));
}

double location_scale_quantile(const Law& law, double probability, double g, double sigma) {
  return moved(law, g,
               sigma * with_standard(law, [&](const auto& standard) { return standard.quantile(probability); }));
}

}  // namespace salvo::model
