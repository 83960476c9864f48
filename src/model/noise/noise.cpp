#include "model/noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/noise/counts.hpp"
#include "model/noise/location_scale.hpp"

namespace salvo::model {
namespace {

// Noise that multiplies leaves nothing where there is nothing, before a lag or the first dose: it is below every limit.
bool is_surely_below(const Law& law, const Datum& datum, double g) {
  return g == 0 && is_logarithmic(law.distribution) && datum.censored == Censored::below;
}

}  // namespace

NoiseRow noise_row(const Law& law, const Datum& datum, double g, double sigma, double smoothing, RowsFor purpose) {
  const bool nothing_counted = is_count(law.distribution) && datum.value == 0 && g == 0;
  const bool possible = !needs_positive(law.distribution) || g > 0 || nothing_counted || is_surely_below(law, datum, g);
  if (!(sigma > 0) || !std::isfinite(sigma) || !std::isfinite(g) || !possible) {
    NoiseRow row;
    row.ok = false;
    row.llh = -std::numeric_limits<double>::infinity();
    row.objective = std::numeric_limits<double>::infinity();
    return row;
  }
  if (is_surely_below(law, datum, g)) return {};
  return is_count(law.distribution) ? count_row(law, datum, g, sigma, purpose)
                                    : location_scale_row(law, datum, g, sigma, smoothing, purpose);
}

double spread(const Law& law, double g, double sigma) {
  return is_count(law.distribution) ? count_deviation(law, g, sigma) : sigma;
}

NoiseRow ratio_row(const Law& law, const Datum& datum, double g, double sigma, double small) {
  constexpr double least = 0.1;
  constexpr double most = 1;
  NoiseRow row;
  row.ok = sigma > 0 && std::isfinite(sigma) && std::isfinite(g);
  if (!row.ok) {
    row.objective = std::numeric_limits<double>::infinity();
    return row;
  }
  const double eta = datum.value;
  const bool is_right =
      (datum.censored == Censored::below && g < eta) || (datum.censored == Censored::above && g > eta);
  if (is_right) return row;
  const double size = std::max(std::abs(eta), small);
  const double relative = is_logarithmic(law.distribution) ? sigma : spread(law, size, sigma) / size;
  const double rho = std::clamp(relative, least, most);
  const double u = (std::asinh(0.5 * g / small) - std::asinh(0.5 * eta / small)) / rho;
  row.r_g = u;
  row.weight_g = 1 / (rho * std::sqrt(g * g + 4 * small * small));
  row.objective = 0.5 * u * u;
  row.llh = -row.objective;
  row.residual = -u;
  return row;
}

double quantile_residual(const Law& law, const Datum& datum, double g, double sigma, std::uint64_t row) {
  constexpr std::uint64_t seed = 1;
  const bool is_random = is_count(law.distribution) || datum.censored != Censored::no;
  const double share = is_random ? Random::stream(seed, row).uniform() : 0;
  return is_count(law.distribution) ? count_residual(law, datum, g, sigma, share)
                                    : location_scale_residual(law, datum, g, sigma, share);
}

double scale_information(const Law& law) {
  if (is_count(law.distribution)) return 0;
  return with_standard(law, [](const auto& standard) { return standard.scale_information(); });
}

double draw(const Law& law, double g, double sigma, Random& random) {
  return is_count(law.distribution) ? count_quantile(law, random.uniform(), g, sigma)
                                    : location_scale_draw(law, g, sigma, random);
}

double quantile(const Law& law, double probability, double g, double sigma) {
  return is_count(law.distribution) ? count_quantile(law, probability, g, sigma)
                                    : location_scale_quantile(law, probability, g, sigma);
}

}  // namespace salvo::model
