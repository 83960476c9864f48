#pragma once

#include <vector>

#include "base/matrix.hpp"
#include "statistics/rules.hpp"

namespace salvo::statistics {

// Rows of a least-squares problem at its minimum, in coordinates in which they say I together: M'M = I, r the residuals
// in their sigma. Those of group a have a sigma that was estimated; -1: none of these.
struct GroupedRows {
  const Matrix& M;  // a column for each row
  std::vector<double> r{};
  std::vector<int> group{};
};

// The variance of every group that maximises the restricted likelihood, as a multiple of the one that r is told in:
//   c_a = sum (r_i + M_i y)^2 / (n_a - tr A_a),   y = -K^-1 sum M_i' r_i / c_i,   K = sum M_i'M_i / c_i,
// A_a the part of group a in K; by fixed point, from `c`. No less than 1: at the maximum of the likelihood variances
// are too small. Where it does not settle, `c` as it was.
std::vector<double> restricted_variances(const GroupedRows& rows, std::vector<double> c,
                                         const SmallSampleRules& rules = {});

}  // namespace salvo::statistics
