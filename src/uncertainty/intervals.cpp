#include "uncertainty/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/distributions.hpp"

namespace salvo::uncertainty {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double far_off = 10;
constexpr double differing = 1.2;  // of two standard errors, as a factor: more is told
using Kind = IntervalEnd::Kind;

// On the scale of the user; what is unknown is Wald's.
double end_in_units(const IntervalEnd& end, model::Scale scale, double wald, double without_end) {
  if (end.kind == Kind::none) return without_end;
  return end.kind == Kind::likelihood ? model::from_scale(scale, end.value) : wald;
}

// Where the likelihood reaches ten times as far as the standard error says, or a tenth, the expected information is no
// model of it: the error is then that of the Hessian, if there is one, and an end that could not be followed is none.
bool is_no_model(const Estimate& estimate) {
  if (!estimate.standard_error || !estimate.interval_wald) return false;
  const auto differs = [&](double end, double wald) {
    const double ratio = std::abs(end - estimate.estimate) / std::abs(wald - estimate.estimate);
    return std::isfinite(end) && !(ratio <= far_off && ratio * far_off >= 1);
  };
  return differs(estimate.interval->first, estimate.interval_wald->first) ||
         differs(estimate.interval->second, estimate.interval_wald->second);
}

// An end by the standard error, moved to where the curvature of the likelihood says.
double by_curvature(double wald, double ratio, const Estimate& estimate) {
  const double at = model::to_scale(estimate.scale, estimate.estimate);
  const double end = at + ratio * (model::to_scale(estimate.scale, wald) - at);
  return std::clamp(model::from_scale(estimate.scale, end), estimate.bounds.first, estimate.bounds.second);
}

// Ends that could not be followed, although the curvature contradicts the standard error, are those of the curvature.
void take_curvature(const QuantityInterval& found, double ratio, Estimate& estimate) {
  auto& [lower, upper] = *estimate.interval;
  if (found.lower.kind == Kind::unknown) lower = by_curvature(lower, ratio, estimate);
  if (found.upper.kind == Kind::unknown) upper = by_curvature(upper, ratio, estimate);
}

}  // namespace

void take_interval(const QuantityInterval& found, const std::optional<double>& observed, Estimate& estimate) {
  const auto is_known = [&](const IntervalEnd& end) { return end.kind != Kind::unknown || estimate.interval; };
  const auto is_walds = [](const IntervalEnd& end) { return end.kind == Kind::wald || end.kind == Kind::unknown; };
  const auto is_wrong = [](const IntervalEnd& end) { return end.kind == Kind::unknown && end.is_too_near; };
  if (is_wrong(found.lower) || is_wrong(found.upper)) {  // nothing is known to put in its place
    estimate.interval_wald = std::exchange(estimate.interval, std::nullopt);
    estimate.standard_error = observed;
    return;
  }
  estimate.is_unchecked = estimate.interval && (found.lower.kind == Kind::unknown || found.upper.kind == Kind::unknown);
  const auto as_wald = estimate.interval;
  if (estimate.is_unchecked && estimate.errors_differ)
    take_curvature(found, *observed / *estimate.standard_error, estimate);
  if (estimate.interval != as_wald) estimate.interval_wald = as_wald;
  if ((is_walds(found.lower) && is_walds(found.upper)) || !is_known(found.lower) || !is_known(found.upper)) return;
  estimate.interval_wald = as_wald;
  const auto wald = estimate.interval.value_or(std::pair{-unlimited, unlimited});
  estimate.interval = {end_in_units(found.lower, estimate.scale, wald.first, -unlimited),
                       end_in_units(found.upper, estimate.scale, wald.second, unlimited)};
  if (is_no_model(estimate)) {
    estimate.is_unchecked = false;
    estimate.standard_error = observed;
    if (found.lower.kind == Kind::unknown) estimate.interval->first = -unlimited;
    if (found.upper.kind == Kind::unknown) estimate.interval->second = unlimited;
  }
  const bool has_lower = std::isfinite(estimate.interval->first), has_upper = std::isfinite(estimate.interval->second);
  estimate.interval_kind = has_lower || has_upper ? IntervalKind::likelihood : IntervalKind::unbounded;
  if (has_lower && has_upper) estimate.identifiable = true;
}

namespace {

// A direction along which the linearisation sees nothing, but in which the likelihood ends on both sides: a step's time
// between two measurements, a rate a^2 at zero.
void forget_what_is_seen(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found, FitResult& result) {
  const auto is_ended = [](const IntervalEnd& end) { return end.kind == Kind::likelihood && end.limited_by.empty(); };
  const auto is_seen = [&](const auto& part) {
    for (std::size_t i = 0; i < found.of.size(); ++i)
      if (all[i].id == part.first) return is_ended(found.of[i].lower) && is_ended(found.of[i].upper);
    return false;
  };
  for (NullDirection& direction : result.null_directions) std::erase_if(direction.parts, is_seen);
  std::erase_if(result.null_directions, [](const NullDirection& direction) { return direction.parts.empty(); });
}

// What ends of the likelihood say of the error on the scale: half their distance, in quantiles.
std::optional<double> error_by_ends(const QuantityInterval& found) {
  const auto has_end = [](const IntervalEnd& end) { return end.kind == Kind::likelihood || end.kind == Kind::wald; };
  if (!has_end(found.lower) || !has_end(found.upper)) return std::nullopt;
  return (found.upper.value - found.lower.value) / (2 * normal_quantile_975);
}

// Bands are drawn from the covariance that agrees better with the ends of the likelihood, where the two differ.
void take_covariance_of_bands(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found,
                              FitResult& result) {
  Matrix& expected = result.covariance_on_scale;
  const int n = static_cast<int>(all.size());
  if (found.observed.rows != n || expected.rows != n) return;
  double by_expected = 0, by_observed = 0;
  bool differ = false;
  for (int i = 0; i < n; ++i) {
    const std::optional<double> error = error_by_ends(found.of[i]);
    const double variance = found.observed(i, i) * found.inflation[i];
    if (!error || !(*error > 0) || !(variance > 0) || !(expected(i, i) > 0)) continue;
    const auto off = [&](double other) { return std::abs(std::log(std::sqrt(other) / *error)); };
    by_expected += off(expected(i, i));
    by_observed += off(variance);
    differ = differ || std::abs(off(variance) - off(expected(i, i))) > std::log(differing);
  }
  if (!differ || !(by_observed < by_expected)) return;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      expected(i, j) = found.observed(i, j) * std::sqrt(found.inflation[i] * found.inflation[j]);
  std::erase_if(result.unseen_on_scale, [&](const std::vector<double>& direction) {
    for (int i = 0; i < n; ++i)
      if (direction[i] != 0 && !error_by_ends(found.of[i])) return false;
    return true;
  });
}

}  // namespace

void take_intervals(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found, FitResult& result) {
  std::size_t parameters = 0, initial = 0;
  for (int i = 0; i < static_cast<int>(found.of.size()); ++i) {
    Estimate& estimate = all[i].state < 0 ? result.parameters[parameters++] : result.initial[initial++];
    std::optional<double> observed;  // as the standard error is: for noise that was estimated, too
    if (i < found.observed.rows && found.observed(i, i) > 0) {
      const double slope = model::from_scale_slope(estimate.scale, model::to_scale(estimate.scale, estimate.estimate));
      estimate.standard_error_observed = slope * std::sqrt(found.observed(i, i));
      observed = *estimate.standard_error_observed * std::sqrt(found.inflation[i]);
      estimate.errors_differ =
          estimate.standard_error && std::abs(std::log(*observed / *estimate.standard_error)) > std::log(differing);
    }
    take_interval(found.of[i], observed, estimate);
  }
  forget_what_is_seen(all, found, result);
  take_covariance_of_bands(all, found, result);
}

std::string about_limits(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found) {
  std::string text;
  for (std::size_t i = 0; i < found.of.size(); ++i)
    for (const auto& [end, name] : {std::pair{&found.of[i].lower, "lower"}, std::pair{&found.of[i].upper, "upper"}})
      if (!end->limited_by.empty())
        text += fmt::format(" The {} end of the interval of {} is made by the bound of {}, not by the data.", name,
                            all[i].id, end->limited_by);
  return text;
}

}  // namespace salvo::uncertainty
