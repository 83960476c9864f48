#pragma once

#include <algorithm>

#include "solve/rules.hpp"

namespace salvo::solve {

// Levenberg and Marquardt's damping after a step with this gain (docs/mathematics.md, eq. 26).
inline double damping_after(double mu, double gain, const Rules& rules) {
  if (gain > rules.trust.good) return std::max(rules.damping.less * mu, rules.damping.least);
  return gain > rules.trust.contraction ? mu : mu / rules.trust.contraction;
}

// Whether a step with this gain stands.
inline bool is_acceptable(double gain, const TrustRules& rules) { return gain > rules.acceptable; }

}  // namespace salvo::solve
