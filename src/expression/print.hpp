#pragma once

#include <string>

#include "expression/graph.hpp"

namespace salvo::expression {

// The node as a formula that parses back to the same node, with no more parentheses than that needs.
std::string print(const Graph& graph, NodeId node);

}  // namespace salvo::expression
