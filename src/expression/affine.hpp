#pragma once

#include <optional>

#include "expression/graph.hpp"

namespace salvo::expression {

// node = coefficient * z + rest, neither of which contains z.
struct Affine {
  NodeId coefficient = no_node;
  NodeId rest = no_node;
};

// As the formula is written: sums, products and quotients with one factor that knows z, and branches that do not
// depend on it. Nothing for any other formula.
std::optional<Affine> affine_in(Graph& graph, NodeId node, NodeId z);

// Has the formula the value 0 whatever its symbols are, up to rounding? Found out at a few points: differences of
// equal formulas do not simplify.
bool is_zero_everywhere(const Graph& graph, NodeId node);

}  // namespace salvo::expression
