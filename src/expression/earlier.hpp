#pragma once

#include "expression/graph.hpp"

namespace salvo::expression {

// d where `argument` is time - d, with the sums in it taken apart; no_node where it does not contain the time.
NodeId time_before(Graph& graph, NodeId argument, NodeId time);

}  // namespace salvo::expression
