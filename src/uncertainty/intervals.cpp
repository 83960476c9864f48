#include "uncertainty/intervals.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace salvo::uncertainty {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double far_off = 10;
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

void take_interval(const QuantityInterval& found, Estimate& estimate) {
  const auto is_known = [&](const IntervalEnd& end) { return end.kind != Kind::unknown || estimate.interval; };
  const auto is_walds = [](const IntervalEnd& end) { return end.kind == Kind::wald || end.kind == Kind::unknown; };
  if ((is_walds(found.lower) && is_walds(found.upper)) || !is_known(found.lower) || !is_known(found.upper)) return;
  estimate.interval_wald = estimate.interval;
  const auto wald = estimate.interval.value_or(std::pair{-unlimited, unlimited});
  estimate.interval = {end_in_units(found.lower, estimate.scale, wald.first, -unlimited),
                       end_in_units(found.upper, estimate.scale, wald.second, unlimited)};
  if (is_no_model(estimate)) {
    estimate.standard_error = estimate.standard_error_observed;
    if (found.lower.kind == Kind::unknown) estimate.interval->first = -unlimited;
    if (found.upper.kind == Kind::unknown) estimate.interval->second = unlimited;
  }
  const bool has_lower = std::isfinite(estimate.interval->first), has_upper = std::isfinite(estimate.interval->second);
  estimate.interval_kind = has_lower || has_upper ? IntervalKind::likelihood : IntervalKind::unbounded;
  if (has_lower && has_upper) estimate.identifiable = true;
}

}  // namespace

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

}  // namespace

void take_intervals(const std::vector<estimate::Quantity>& all, const IntervalsOutcome& found, FitResult& result) {
  std::size_t parameters = 0, initial = 0;
  for (std::size_t i = 0; i < found.of.size(); ++i) {
    Estimate& estimate = all[i].state < 0 ? result.parameters[parameters++] : result.initial[initial++];
    if (found.observed[i])
      estimate.standard_error_observed =
          model::from_scale_slope(estimate.scale, model::to_scale(estimate.scale, estimate.estimate)) *
          *found.observed[i];
    take_interval(found.of[i], estimate);
  }
  forget_what_is_seen(all, found, result);
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
