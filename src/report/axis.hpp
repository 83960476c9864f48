#pragma once

#include <span>
#include <string>
#include <vector>

namespace salvo::report {

struct Range {
  double low = 0;
  double high = 1;

  double span() const { return high - low; }
};

// Can this number be placed on paper? Numbers beyond 1e150 cannot: their differences and squares overflow.
bool is_drawable(double value);

// The smallest range that holds all drawable values, or [0, 1] if there are none.
Range range_of(std::span<const double> values);

// A little air on both sides; never empty, however equal the values are.
Range with_margin(Range range, double fraction);

// What a panel should show of its values: all data, their error bars, and the curves as far as they keep company with
// the data. A curve that leaves for infinity must not flatten everything else.
Range panel_range(std::span<const double> data, std::span<const double> error_bar_ends, std::span<const double> curves);

// From zero on, if that costs little room. For values that are never negative.
Range with_zero(Range range);

struct Axis {
  Range range{};
  std::vector<double> ticks{};        // round numbers inside the range
  std::vector<std::string> labels{};  // one per tick
};
Axis make_axis(Range range, int wanted_ticks);

// The same for a logarithmic axis; both ends are positive. Decades, or every second or third of them where there are
// more than `wanted_ticks`, and 2 and 5 between them where there are few.
Axis make_log_axis(Range range, int wanted_ticks);

}  // namespace salvo::report
