#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace salvo::report {
namespace {

constexpr double largest_drawable = 1e150;
constexpr double smallest_span = 1e-150;
constexpr double relative_resolution = 1e-9;  // ranges narrower than this cannot be labelled with doubles

std::vector<double> drawable(std::span<const double> values) {
  std::vector<double> kept;
  kept.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(kept), is_drawable);
  return kept;
}

Range whole_range(const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  return {low, high};
}

// Reorders the values, but does not sort them: there may be millions.
double quantile(std::vector<double>& values, double fraction) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

// `core`, widened towards `whole` by at most `allowance` on each side.
Range stretch(Range core, Range whole, double allowance) {
  return {std::min(core.low, std::max(whole.low, core.low - allowance)),
          std::max(core.high, std::min(whole.high, core.high + allowance))};
}

double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

std::string tick_label(double value, double step, double largest) {
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  const int largest_exponent = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
  const bool fixed = largest_exponent < 6 && step_exponent > -5;
  std::string label;
  if (fixed || value == 0) {
    label = fmt::format("{:.{}f}", std::abs(value), fixed ? std::max(0, -step_exponent) : 0);
  } else {
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    const int digits = std::max(0, exponent - step_exponent);
    label = fmt::format("{:.{}f}e{}", std::abs(value) / std::pow(10.0, exponent), digits, exponent);
  }
  return value < 0 ? "\xE2\x88\x92" + label : label;
}

// "0.01", "100", and "10\xE2\x81\xB5" where zeros would be counted.
std::string power_label(int factor, int exponent) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", factor * std::pow(10.0, exponent));
  constexpr std::string_view raised[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                         "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                         "\xE2\x81\xB8", "\xE2\x81\xB9"};
  std::string label = factor == 1 ? "10"
                                  : fmt::format(
                                        "{}\xC2\xB7"
                                        "10",
                                        factor);
  if (exponent < 0) label += "\xE2\x81\xBB";
  for (const char digit : std::to_string(std::abs(exponent))) label += raised[static_cast<std::size_t>(digit - '0')];
  return label;
}

}  // namespace

bool is_drawable(double value) { return std::abs(value) < largest_drawable; }

Range range_of(std::span<const double> values) {
  const std::vector<double> kept = drawable(values);
  return kept.empty() ? Range{} : whole_range(kept);
}

Range with_margin(Range range, double fraction) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (range.span() <= std::max(size * relative_resolution, smallest_span)) {
    const double half = size > smallest_span ? 0.1 * size : 1;
    return {range.low - half, range.high + half};
  }
  return {range.low - fraction * range.span(), range.high + fraction * range.span()};
}

Range panel_range(std::span<const double> data, std::span<const double> error_bar_ends,
                  std::span<const double> curves) {
  std::vector<double> curve = drawable(curves);
  const std::vector<double> values = drawable(data);
  if (values.empty() && curve.empty()) return {};
  if (values.empty()) {
    const Range bulk{quantile(curve, 0.05), quantile(curve, 0.95)};
    return stretch(bulk, whole_range(curve), 0.5 * bulk.span());
  }
  Range shown = whole_range(values);
  // One careless sigma is cut; error bars that are all longer than the data are shown.
  std::vector<double> ends = drawable(error_bar_ends);
  if (!ends.empty()) {
    const double typical = quantile(ends, 0.9) - quantile(ends, 0.1);
    shown = stretch(shown, whole_range(ends), std::max(shown.span(), typical));
  }
  if (curve.empty()) return shown;
  const Range whole = whole_range(curve);
  const Range bulk{quantile(curve, 0.25), quantile(curve, 0.75)};
  const double height = shown.span() > 0 ? shown.span() : std::abs(bulk.high - bulk.low);
  const Range near = stretch(shown, whole, 1.2 * height);
  if (near.low <= whole.low && near.high >= whole.high) return near;
  // Something leaves: keep the middle half of the curves in view, and enough of the rest to see where it goes.
  return stretch(stretch(shown, bulk, 3 * height), whole, 0.8 * height);
}

Range with_zero(Range range) {
  const bool near_zero = range.low > -0.1 * range.span() && range.low < 0.4 * range.span();
  return near_zero ? Range{0, range.high} : range;
}

Axis make_axis(Range range, int wanted_ticks) {
  Axis axis{range, {}, {}};
  const double step = round_step(range.span() / wanted_ticks);
  const double first = std::ceil(range.low / step - 1e-9);
  const double last = std::floor(range.high / step + 1e-9);
  const double largest = std::max(std::abs(first), std::abs(last)) * step;
  for (double k = first; k <= last; k += 1) {
    axis.ticks.push_back(k * step);
    axis.labels.push_back(tick_label(k * step, step, largest));
  }
  return axis;
}

Axis make_log_axis(Range range, int wanted_ticks) {
  Axis axis{range, {}, {}};
  const double decades = std::log10(range.high / range.low);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(wanted_ticks, 1))));
  std::vector<int> factors{1};
  if (3 * decades <= wanted_ticks) factors = {1, 2, 5};
  const int first = static_cast<int>(std::floor(std::log10(range.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range.high)));
  for (int exponent = first; exponent <= last; ++exponent)
    for (const int factor : factors) {
      const double tick = factor * std::pow(10.0, exponent);
      if (exponent % stride != 0 || tick < range.low * (1 - 1e-9) || tick > range.high * (1 + 1e-9)) continue;
      axis.ticks.push_back(tick);
      axis.labels.push_back(power_label(factor, exponent));
    }
  return axis;
}

}  // namespace salvo::report
