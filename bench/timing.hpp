#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

// What paired measurements share: two things are timed in turn, so that a busy machine slows both, and the median of
// the ratios counts.
namespace salvo::bench {

double seconds_of(const auto& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace salvo::bench
