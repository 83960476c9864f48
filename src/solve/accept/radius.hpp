#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/rules.hpp"

namespace salvo::solve {

inline double euclidean(const std::vector<double>& d) {
  double sum = 0;
  for (const double entry : d) sum += entry * entry;
  return std::sqrt(sum);
}

// After a trial that failed or gained little: shorter than the step was.
inline double shorter_radius(double radius, double length, const Rules& rules) {
  return rules.trust.contraction * std::min(length, radius);
}

// The radius after a trial of a step of this length (docs/mathematics.md, section 17); a gain of -1: there was none.
inline double radius_after(double radius, double gain, double length, bool at_radius, const Rules& rules) {
  if (!(gain > rules.trust.contraction)) return shorter_radius(radius, length, rules);
  if (gain > rules.trust.good && at_radius) return std::min(2 * radius, rules.descent.longest_radius);
  return radius;
}

}  // namespace salvo::solve
