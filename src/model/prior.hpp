#pragma once

#include "model/noise.hpp"
#include "model/problem.hpp"

namespace salvo::model {

// A prior is one more measurement, of the unknown itself: eta = location, sigma = spread, of the value or of its scale.
struct PriorRow {
  double llh = 0;
  double objective = 0;
  double r = 0;
  double slope = 0;  // d r / d theta
};

// For an unknown that has a prior, at its scaled value.
PriorRow prior_row(const Estimated& estimated, double scaled, double smoothing, RowsFor purpose);

}  // namespace salvo::model
