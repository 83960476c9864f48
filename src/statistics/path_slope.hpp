#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::statistics {

// PL'(c) at a point that minimises the objective with unknown i fixed at c. With g the gradient and t = dq/dc the way
// of the path, by the linearisation, it is g't: g_i alone were the others exactly at their best, and otherwise wrong
// only by the square of what they miss it by. Where a datum is known to ten digits, g_i alone is rounding.
double path_slope(const nlp::Layout& layout, const nlp::Blocks& linearized, const nlp::Point& q,
                  const std::vector<double>& units, int unknown);

}  // namespace salvo::statistics
