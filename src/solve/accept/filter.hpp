#pragma once

#include <vector>

#include "solve/state/state.hpp"

namespace salvo::solve {

// Whether a point may follow those where the run has been ([FletcherLeyffer02]). A full step to one that is worse than
// one of them, in gap and objective alike, leads in a circle.
inline bool passes_filter(const std::vector<Passed>& passed, const Passed& next, double margin) {
  for (const Passed& point : passed)
    if (next.gap > (1 - margin) * point.gap && next.objective >= point.objective) return false;
  return true;
}

}  // namespace salvo::solve
