#include "report/visible_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "report/axis.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t few = 10'000;
// A panel is some 500 pixels wide and 200 high, and a dot three of them.
constexpr int cells_of_time = 250;
constexpr int cells_of_value = 160;

// What one panel spans.
struct Span {
  Range time{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  Range value = time;
};

int cell_of(const Range& range, double number, int cells) {
  if (!(range.span() > 0) || !std::isfinite(number)) return 0;
  return std::clamp(static_cast<int>((number - range.low) / range.span() * cells), 0, cells - 1);
}

void widen(Range& range, double number) {
  if (!is_drawable(number)) return;
  range.low = std::min(range.low, number);
  range.high = std::max(range.high, number);
}

VisibleRows all_of(std::size_t count) {
  VisibleRows out{.rows = std::vector<int>(count)};
  std::iota(out.rows.begin(), out.rows.end(), 0);
  return out;
}

}  // namespace

VisibleRows visible_rows(const std::vector<model::Measurement>& measurements) {
  if (measurements.size() <= few) return all_of(measurements.size());
  VisibleRows out;
  using PanelKey = std::pair<int, int>;
  std::map<PanelKey, Span> spans;
  for (const model::Measurement& m : measurements) {
    Span& span = spans[{m.experiment, m.observable}];
    widen(span.time, m.time);
    widen(span.value, m.value);
  }
  std::map<PanelKey, std::unordered_map<std::int64_t, std::size_t>> taken;
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const model::Measurement& m = measurements[i];
    const PanelKey panel{m.experiment, m.observable};
    const Span& span = spans.at(panel);
    std::int64_t cell = cell_of(span.time, m.time, cells_of_time);
    cell = cell * cells_of_value + cell_of(span.value, m.value, cells_of_value);
    cell = cell * 3 + static_cast<int>(m.censored);
    const auto [found, is_new] = taken[panel].emplace(cell, out.rows.size());
    if (is_new) {
      out.rows.push_back(static_cast<int>(i));
      out.weights.push_back(1);
    } else {
      ++out.weights[found->second];
    }
  }
  const bool is_worth_it = 2 * out.rows.size() < measurements.size();
  return is_worth_it ? out : all_of(measurements.size());
}

}  // namespace salvo::report
