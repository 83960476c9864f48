#pragma once

#include <string>
#include <unordered_map>

#include "expression/graph.hpp"

namespace salvo::expression {

// The node as a formula that parses back to the same node, with no more parentheses than that needs.
// Nodes that have a name of their own are printed by it.
using NodeNames = std::unordered_map<NodeId, std::string>;
std::string print(const Graph& graph, NodeId node, const NodeNames& names = {});

}  // namespace salvo::expression
