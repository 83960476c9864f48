#include "start/matching_pieces.hpp"

#include <algorithm>
#include <cmath>

namespace salvo::start {
MatchingPieces matching_pieces(const model::Problem& problem, const ObservedStates& observed, double begin, double end,
                               const MatchingRules& rules) {
  std::vector<double> knots{begin};
  double freedom = 0;
  for (const ObservedState& state : observed.states) {
    if (!state.curve) continue;
    knots.insert(knots.end(), state.curve->time.begin(), state.curve->time.end());
    freedom = std::max(freedom, state.curve->freedom);
  }
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  std::erase_if(knots, [&](double t) { return t < begin || t > end; });

  const double wanted = std::max(freedom, rules.fewest_pieces);
  const std::size_t stride =
      std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(knots.size()) / wanted));
  std::vector<double> ends;
  for (std::size_t k = stride; k < knots.size(); k += stride) ends.push_back(knots[k]);

  MatchingPieces out;
  out.stops = ends;
  out.stops.push_back(begin);
  for (const int i : observed.left_over) out.stops.push_back(problem.measurements[i].time);
  std::sort(out.stops.begin(), out.stops.end());
  out.stops.erase(std::unique(out.stops.begin(), out.stops.end()), out.stops.end());
  const auto stop_at = [&](double t) {
    return static_cast<int>(std::lower_bound(out.stops.begin(), out.stops.end(), t) - out.stops.begin());
  };
  for (const double t : ends) out.ends.push_back(stop_at(t));
  out.measured_at.resize(out.stops.size());
  for (const int i : observed.left_over) out.measured_at[stop_at(problem.measurements[i].time)].push_back(i);
  return out;
}

double increment_error(const ObservedState& state, double a, double b, const Rules& rules) {
  const Curve& curve = *state.curve;
  const int n = static_cast<int>(curve.time.size());
  const auto from = std::lower_bound(curve.time.begin(), curve.time.end(), a);
  const auto to = std::upper_bound(curve.time.begin(), curve.time.end(), b);
  double missed = 0;
  for (int i = std::max(0, static_cast<int>(from - curve.time.begin()) - 1);
       i < std::min(n, static_cast<int>(to - curve.time.begin()) + 1); ++i)
    missed = std::max(missed, std::abs(curve.left_out[i]));
  const double beyond_noise = std::sqrt(missed_beyond_noise(missed, curve.sigma, rules.curves));
  const double smoothed = std::sqrt(2 * curve.freedom / n) * curve.sigma;
  const auto [low, high] = std::minmax_element(curve.value.begin(), curve.value.end());
  double error = smoothed + (state.coarse ? 0 : rules.matching.between_knots * beyond_noise) +
                 rules.matching.curve_error * (*high - *low);
  if (state.logarithmic) error *= 0.5 * (state.at(a) + state.at(b));
  return error > 0 ? error : 1;
}

}  // namespace salvo::start
