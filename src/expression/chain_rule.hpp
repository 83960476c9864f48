#pragma once

#include <optional>

#include "expression/graph.hpp"

namespace salvo::expression {

// A node whose value is that of one of two others: select, min and max.
struct Branches {
  NodeId condition = no_node;
  NodeId if_true = no_node;
  NodeId otherwise = no_node;
};
bool has_branches(Op op);
Branches branches_of(Graph& graph, NodeId id);

// Can a change of its arguments change the value of this operation other than by a jump?
bool is_differentiable(Op op);

// seed * d node / d argument, for every differentiable operation without branches. Taking the seed in keeps the
// result small: seed/b instead of seed*(1/b).
NodeId chained(Graph& graph, NodeId node, int argument, NodeId seed);

}  // namespace salvo::expression
