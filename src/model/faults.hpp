#pragma once

#include <cmath>

#include "model/problem.hpp"

namespace salvo::model {

// Times and spans of time that steps, pieces of an interval and their squares can be computed from. Another unit of
// time helps whoever needs others.
inline constexpr double latest_time = 1e100;
inline constexpr double shortest_span = 1e-100;
inline bool is_too_late(double time) { return std::isfinite(time) && std::abs(time) > latest_time; }

inline constexpr int most_intervals = 1'000'000;  // that one may ask for, in each experiment

// What is missing or out of range in a problem that was filled by hand, so that nothing can be computed from it. One
// that a reader of files has returned has no faults.
Issues faults(const Problem& problem);

}  // namespace salvo::model
