#include "model/noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace salvo::model {

bool has_corner(Distribution law) { return law == Distribution::laplace || law == Distribution::log_laplace; }

namespace {

bool is_logarithmic(Distribution law) { return law == Distribution::log_normal || law == Distribution::log_laplace; }

// -llh = u^2/2 + log sigma + ...  with u = (g - eta)/sigma; Fisher information 1/sigma^2 for g and 2/sigma^2 for sigma.
void normal_rows(double u, double sigma, NoiseRow& row) {
  row.llh = -0.5 * std::log(2 * std::numbers::pi) - std::log(sigma) - 0.5 * u * u;
  row.objective = -row.llh;
  row.r_g = u;
  row.weight_g = 1 / sigma;
  row.r_sigma = (1 - u * u) / std::numbers::sqrt2;
  row.weight_sigma = std::numbers::sqrt2 / sigma;
}

// -llh = |u| + log(2 sigma), rounded to phi = sqrt(u^2 + eps^2). A square with curvature 1/phi lies above it and
// touches it at u: that is the step's row. The Fisher information is 1/sigma^2 for g and for sigma.
void laplace_rows(double u, double sigma, double smoothing, RowsFor purpose, NoiseRow& row) {
  const double phi = std::sqrt(u * u + smoothing * smoothing);
  row.llh = -std::log(2 * sigma) - std::abs(u);
  row.objective = std::log(2 * sigma) + phi;
  const double curvature = purpose == RowsFor::step && phi > 0 ? 1 / phi : 1.0;
  row.weight_g = std::sqrt(curvature) / sigma;
  row.r_g = phi > 0 ? u / phi / std::sqrt(curvature) : 0.0;
  row.weight_sigma = 1 / sigma;
  row.r_sigma = phi > 0 ? 1 - u * u / phi : 1.0;
}

}  // namespace

NoiseRow ratio_row(Distribution law, double eta, double g, double sigma, double small) {
  constexpr double least = 0.1;
  constexpr double most = 1;
  NoiseRow row;
  row.ok = sigma > 0 && std::isfinite(sigma) && std::isfinite(g);
  if (!row.ok) {
    row.objective = std::numeric_limits<double>::infinity();
    return row;
  }
  const double relative = is_logarithmic(law) ? sigma : sigma / std::max(std::abs(eta), small);
  const double rho = std::clamp(relative, least, most);
  const double u = (std::asinh(0.5 * g / small) - std::asinh(0.5 * eta / small)) / rho;
  row.r_g = u;
  row.weight_g = 1 / (rho * std::sqrt(g * g + 4 * small * small));
  row.objective = 0.5 * u * u;
  row.llh = -row.objective;
  row.residual = -u;
  return row;
}

NoiseRow noise_row(Distribution law, double eta, double g, double sigma, double smoothing, RowsFor purpose) {
  NoiseRow row;
  const bool logarithmic = is_logarithmic(law);
  if (!(sigma > 0) || !std::isfinite(sigma) || !std::isfinite(g) || (logarithmic && !(g > 0))) {
    row.ok = false;
    row.llh = -std::numeric_limits<double>::infinity();
    row.objective = std::numeric_limits<double>::infinity();
    return row;
  }
  const double u = logarithmic ? (std::log(g) - std::log(eta)) / sigma : (g - eta) / sigma;
  if (has_corner(law))
    laplace_rows(u, sigma, smoothing, purpose, row);
  else
    normal_rows(u, sigma, row);
  row.residual = -u;
  if (logarithmic) {  // the density is that of eta itself, not of its logarithm
    row.llh -= std::log(eta);
    row.objective += std::log(eta);
    row.weight_g /= g;
  }
  return row;
}

}  // namespace salvo::model
