#pragma once

#include "model/noise.hpp"
#include "model/problem.hpp"

namespace salvo::model {

// A prior as a row of a least-squares problem, like a measurement: r * slope is the exact derivative of -llh by the
// scaled value, slope^2 a curvature that is never negative (docs/mathematics.md, section 6).
struct PriorRow {
  double llh = 0;
  double objective = 0;
  double r = 0;
  double slope = 0;  // d r / d theta
};

// For an unknown that has a prior, at its scaled value.
PriorRow prior_row(const Estimated& estimated, double scaled, double smoothing, RowsFor purpose);

bool has_corner(PriorLaw law);

// Exists for positive values only.
bool is_positive(PriorLaw law);

// The logarithm of the probability that the law gives to values between two bounds.
double log_mass_between(const Prior& prior, double lower, double upper);

}  // namespace salvo::model
