#pragma once

#include <algorithm>

namespace salvo::solve {

// Whether a merit falls by the part of its predicted change that Armijo's rule asks for; a change that is predicted to
// be a rise asks for a fall of nothing.
inline bool falls_enough(double before, double after, double predicted_change, double part) {
  return after <= before + part * std::min(predicted_change, 0.0);
}

}  // namespace salvo::solve
