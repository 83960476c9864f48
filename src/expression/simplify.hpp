#pragma once

#include "expression/graph.hpp"

namespace salvo::expression {

// A node that has the value of op(a, b, c) for all finite values of the symbols and is simpler, or no_node.
// Commutative operations come with their arguments in order.
NodeId simplified(Graph& graph, Op op, NodeId a, NodeId b, NodeId c);

}  // namespace salvo::expression
