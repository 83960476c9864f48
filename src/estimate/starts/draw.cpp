#include "estimate/starts/draw.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace salvo::estimate {
namespace {

bool is_logarithmic(const model::Estimated& estimated) { return estimated.scale != model::Scale::lin; }

// The range to draw from, on the scale of the quantity. Where a bound is missing, nothing says that the sign of the
// guess is right.
std::pair<double, double> range_of(const model::Estimated& estimated, const DrawRules& rules) {
  if (estimated.size) return {-2 * *estimated.size, 2 * *estimated.size};  // a weight of a network
  const double guess = estimated.guess.value_or(1.0);
  const double far = guess == 0 ? 1.0 : std::abs(guess);
  const double lowest =
      is_logarithmic(estimated) ? rules.nearest_to_zero * far : std::min(guess, 0.0) - rules.spread * far;
  double lower = std::isfinite(estimated.lower) ? estimated.lower : lowest;
  const double upper = std::isfinite(estimated.upper) ? estimated.upper : std::max(guess, 0.0) + rules.spread * far;
  if (is_logarithmic(estimated) && !(lower > 0)) lower = rules.above_zero * std::min(far, upper);
  return {model::to_scale(estimated.scale, lower), model::to_scale(estimated.scale, upper)};
}

// What lies at this share (0 to 1) of the values to draw from, on the scale of the quantity.
double at_share(const model::Estimated& estimated, double share, const DrawRules& rules) {
  const bool is_bounded = std::isfinite(estimated.lower) || std::isfinite(estimated.upper);
  const double guess = estimated.guess.value_or(1.0);
  if (is_bounded || is_logarithmic(estimated) || estimated.size || guess == 0) {
    const auto [lower, upper] = range_of(estimated, rules);
    return lower + share * (upper - lower);
  }
  if (share < rules.other_sign) return -guess * rules.spread * share / rules.other_sign;
  const double on_this_side = (share - rules.other_sign) / (1 - rules.other_sign);
  return guess * (rules.nearest_to_zero + on_this_side * (rules.spread + 1 - rules.nearest_to_zero));
}

}  // namespace

double drawn(const model::Estimated& estimated, double share, Random& random, const DrawRules& rules) {
  if (!estimated.start) return at_share(estimated, share, rules);
  const model::StartLaw& law = *estimated.start;
  double draw = law.a + share * (law.b - law.a);
  if (law.shape == model::StartLaw::Shape::normal) draw = law.a + law.b * random.normal();
  if (law.shape == model::StartLaw::Shape::laplace)
    draw = law.a + law.b * (share < 0.5 ? std::log(2 * share) : -std::log(2 - 2 * share));
  double value = law.on_scale ? model::from_scale(estimated.scale, draw) : draw;
  if (law.of_logarithm) value = std::exp(draw);
  value = std::clamp(value, estimated.lower, estimated.upper);
  const bool has_place = estimated.scale == model::Scale::lin || value > 0;
  return has_place ? model::to_scale(estimated.scale, value) : range_of(estimated, rules).first;
}

nlp::Point draw_point(const Setup& setup, Random& random, bool within_range) {
  const DrawRules& rules = setup.rules().draw;
  nlp::Point q = setup.start;
  const shooting::UnknownNames& names = setup.shooting->names();
  std::optional<double> spread_of_log;
  for (std::size_t k = 0; k < names.parameter.size(); ++k) {
    const model::Estimated& estimated = shooting::estimated_theta(setup.problem(), names, static_cast<int>(k));
    const bool is_bounded = std::isfinite(estimated.lower) && std::isfinite(estimated.upper);
    if (within_range || is_bounded || estimated.start) {
      q[k] = drawn(estimated, random.uniform(), random, rules);
      continue;
    }
    if (!spread_of_log) spread_of_log = random.uniform() < rules.wide_share ? rules.wide_spread : 1;
    const double guess = estimated.guess.value_or(1.0);
    double value = (guess == 0 ? 1 : std::abs(guess)) * std::exp(*spread_of_log * random.normal());
    if (estimated.lower < 0 && estimated.scale == model::Scale::lin &&
        random.uniform() < (guess < 0 ? 0.5 : rules.turned))
      value = -value;
    q[k] = model::to_scale(estimated.scale, std::clamp(value, estimated.lower, estimated.upper));
  }
  return q;
}

}  // namespace salvo::estimate
