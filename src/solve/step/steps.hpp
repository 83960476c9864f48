#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "nlp/problem.hpp"
#include "solve/result.hpp"

// What the solvers on vector gaps do with a step.
namespace salvo::solve {

// The largest entry, each relative to its size.
inline double largest(const std::vector<double>& delta, const std::vector<double>& sizes) {
  double most = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) most = std::max(most, std::abs(delta[i]) / sizes[i]);
  return most;
}

// Root mean square of the entries, likewise.
inline double norm(const std::vector<double>& delta, const std::vector<double>& sizes) {
  double sum = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) sum += delta[i] / sizes[i] * (delta[i] / sizes[i]);
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(delta.size(), 1)));
}

// Trials of one kind of step in one iteration. They shrink each time and are mostly none before; steps that are no
// numbers do not.
inline constexpr int most_attempts = 40;

// Rounds of an active set or of a fixed point within one step; in none of the tests are they used up.
inline constexpr int most_rounds = 8;

// A part of the step ahead, but not beyond the bounds.
inline nlp::Point moved(const nlp::Layout& layout, const nlp::Point& q, const std::vector<double>& delta,
                        double fraction = 1) {
  nlp::Point next = q;
  for (std::size_t i = 0; i < q.size(); ++i)
    next[i] = std::clamp(q[i] + fraction * delta[i], layout.lower[i], layout.upper[i]);
  return next;
}

// Whether the gaps are as small as they have to be at the end, by the largest value of a state and by those beside
// them.
inline bool is_closed(const nlp::Blocks& blocks, const SolveOptions& options) {
  const GapRules& gaps = options.rules.gaps;
  return blocks.infeasibility() <= gaps.closed && blocks.local_gap <= gaps.joined;
}

}  // namespace salvo::solve
