#pragma once

#include "model/problem.hpp"

namespace salvo::model {

struct Range {
  double lower = 0;
  double upper = 0;
};

// What the value of a formula of parameters lies between in an experiment, while they stay within their bounds: by the
// arithmetic of intervals, which may find more than there is.
Range range_of(const Problem& problem, const Experiment& experiment, NodeId formula);

}  // namespace salvo::model
