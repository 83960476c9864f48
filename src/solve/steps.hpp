#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "nlp/problem.hpp"

// What the solvers on vector gaps do with a step.
namespace salvo::solve {

// The largest entry, each relative to its size.
inline double largest(const std::vector<double>& delta, const std::vector<double>& sizes) {
  double most = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) most = std::max(most, std::abs(delta[i]) / sizes[i]);
  return most;
}

// A part of the step ahead, but not beyond the bounds.
inline nlp::Point moved(const nlp::Layout& layout, const nlp::Point& q, const std::vector<double>& delta,
                        double fraction = 1) {
  nlp::Point next = q;
  for (std::size_t i = 0; i < q.size(); ++i)
    next[i] = std::clamp(q[i] + fraction * delta[i], layout.lower[i], layout.upper[i]);
  return next;
}

}  // namespace salvo::solve
