#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

// What paired measurements share: two things are timed in turn, so that a busy machine slows both, and the median of
// the ratios counts.
namespace salvo::bench {

double seconds_of(const auto& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of this thread on its processor: what others do there does not count.
double processor_seconds_of(const auto& action) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  action();
  return now() - begin;
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace salvo::bench
