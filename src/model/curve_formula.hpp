#pragma once

#include "expression/graph.hpp"
#include "model/input.hpp"

namespace salvo::model {

// The curve as a formula of time, for what is read at any time and not only where an integrator is: its pieces, found
// by halves.
expression::NodeId formula_of(expression::Graph& graph, const InputCurve& curve, expression::NodeId time);

}  // namespace salvo::model
