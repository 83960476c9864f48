#pragma once

#include "model/problem.hpp"

namespace salvo::model::cells {

// The sign that a formula has whatever its parameters are within their bounds and wherever it is in space: 1, -1, or 0
// where neither is sure.
int sure_sign(const Problem& problem, const expression::Graph& graph, NodeId formula);

}  // namespace salvo::model::cells
