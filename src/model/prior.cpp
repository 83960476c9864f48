#include "model/prior.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/contract.hpp"
#include "model/prior_mass.hpp"

namespace salvo::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// -log density at z and how it changes, by z itself or by ln z.
struct Potential {
  double value = 0;      // without the smoothing of a corner
  double smoothed = 0;   // with it
  double slope = 0;      // of `smoothed`
  double curvature = 0;  // of the square that stands for it; zero only where the slope is zero too
};

Potential smooth(double value, double slope, double curvature) { return {value, value, slope, curvature}; }

Potential normal(double z, double location, double spread) {
  const double u = (z - location) / spread;
  return smooth(0.5 * std::log(2 * std::numbers::pi) + std::log(spread) + 0.5 * u * u, u / spread,
                1 / (spread * spread));
}

// As for noise: the square with curvature 1/phi lies above the corner that was rounded off.
Potential laplace(double z, double location, double spread, double smoothing, RowsFor purpose) {
  const double u = (z - location) / spread;
  const double phi = std::sqrt(u * u + smoothing * smoothing);
  const double curvature = purpose == RowsFor::step && phi > 0 ? 1 / phi : 1.0;
  return {std::log(2 * spread) + std::abs(u), std::log(2 * spread) + phi, phi > 0 ? u / phi / spread : 0.0,
          curvature / (spread * spread)};
}

// log(1 + u^2) lies below the square that touches it with curvature 2/(1 + u^2); its expected curvature is 1/2.
Potential cauchy(double z, double location, double spread, RowsFor purpose) {
  const double u = (z - location) / spread;
  const double curvature = purpose == RowsFor::step ? 2 / (1 + u * u) : 0.5;
  return smooth(std::log(std::numbers::pi * spread * (1 + u * u)), 2 * u / (1 + u * u) / spread,
                curvature / (spread * spread));
}

// By ln z, in which z / scale - shape ln z has the expected curvature `shape`.
Potential gamma(double z, double shape, double scale) {
  const double value = std::lgamma(shape) + shape * std::log(scale) - (shape - 1) * std::log(z) + z / scale;
  return smooth(value, z / scale - (shape - 1), shape);
}

// By ln z: z^2 / (2 s^2) - ln z, of which E(2 z^2 / s^2) = 4.
Potential rayleigh(double z, double s) {
  constexpr double expected_curvature = 4;
  return smooth(2 * std::log(s) - std::log(z) + 0.5 * z * z / (s * s), z * z / (s * s) - 1, expected_curvature);
}

// A law of ln z as a density of z: by ln z one more term, which is straight.
Potential of_logarithm(Potential potential, double z) {
  potential.value += std::log(z);
  potential.smoothed += std::log(z);
  potential.slope += 1;
  return potential;
}

// A straight line has no curvature; a hundredth of what one standard deviation in ln z would have keeps steps finite.
Potential log_uniform(double z, double lower, double upper) {
  constexpr double some_curvature = 0.01;
  return smooth(std::log(std::log(upper) - std::log(lower)) + std::log(z), 1, some_curvature);
}

Potential potential_of(const Prior& prior, double z, double smoothing, RowsFor purpose) {
  const double a = prior.location;
  const double b = prior.spread;
  switch (prior.law) {
    case PriorLaw::normal: return normal(z, a, b);
    case PriorLaw::laplace: return laplace(z, a, b, smoothing, purpose);
    case PriorLaw::log_normal: return of_logarithm(normal(std::log(z), a, b), z);
    case PriorLaw::log_laplace: return of_logarithm(laplace(std::log(z), a, b, smoothing, purpose), z);
    case PriorLaw::uniform: return smooth(std::log(b - a), 0, 0);
    case PriorLaw::log_uniform: return log_uniform(z, a, b);
    case PriorLaw::cauchy: return cauchy(z, a, b, purpose);
    case PriorLaw::gamma: return gamma(z, a, b);
    case PriorLaw::exponential: return gamma(z, 1, b);
    case PriorLaw::chisquare: return gamma(z, 0.5 * b, 2);
    case PriorLaw::rayleigh: return rayleigh(z, b);
  }
  return {};
}

bool is_possible(const Prior& prior, double z) {
  if (is_positive(prior.law) && !(z > 0)) return false;
  const bool has_ends = prior.law == PriorLaw::uniform || prior.law == PriorLaw::log_uniform;
  return !has_ends || (z >= prior.location && z <= prior.spread);
}

}  // namespace

bool has_corner(PriorLaw law) { return law == PriorLaw::laplace || law == PriorLaw::log_laplace; }

bool is_positive(PriorLaw law) {
  switch (law) {
    case PriorLaw::normal:
    case PriorLaw::laplace:
    case PriorLaw::uniform:
    case PriorLaw::cauchy: return false;
    default: return true;
  }
}

PriorRow prior_row(const Estimated& estimated, double scaled, double smoothing, RowsFor purpose) {
  SALVO_EXPECTS(estimated.prior.has_value());
  const Prior& prior = *estimated.prior;
  const double z = prior.on_scale ? scaled : from_scale(estimated.scale, scaled);
  if (!is_possible(prior, z)) return {.llh = -infinity, .objective = infinity};
  const double z_slope = prior.on_scale ? 1.0 : from_scale_slope(estimated.scale, scaled);
  const Potential potential = potential_of(prior, z, smoothing, purpose);
  const double by = is_positive(prior.law) ? z_slope / z : z_slope;  // laws of positive values go by ln z
  const double weight = std::sqrt(potential.curvature);
  return {.llh = -potential.value - prior.log_mass,
          .objective = potential.smoothed + prior.log_mass,
          .r = weight > 0 ? potential.slope / weight : 0,
          .slope = weight * by};
}

double log_mass_between(const Prior& prior, double lower, double upper) {
  if (is_positive(prior.law)) lower = std::max(lower, 0.0);
  return std::log(probability_between(prior, lower, upper));
}

}  // namespace salvo::model
