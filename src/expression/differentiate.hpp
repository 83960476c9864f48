#pragma once

#include <span>
#include <vector>

#include "expression/gradients.hpp"
#include "expression/graph.hpp"

namespace salvo::expression {

// In all of these the variables are distinct. A variable that is not a symbol counts as independent of what it is made
// of. Where a value jumps, the derivative is that of either side; the branch that is not taken may have a pole.

// One structurally non-zero entry of a Jacobian.
struct JacobianEntry {
  int row = 0;     // index of the output
  int column = 0;  // index of the variable
  NodeId node = no_node;
};

// d outputs / d variables, only the entries that are not identically zero, sorted by row, then column.
std::vector<JacobianEntry> jacobian(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> variables);
std::vector<JacobianEntry> jacobian(Graph& graph, std::span<const NodeId> outputs, const Variables& variables);

// Forward mode: the derivative of each output in the direction `directions` of the variables. The zero constant where
// there is none.
std::vector<NodeId> forward(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> variables,
                            std::span<const NodeId> directions);

// Reverse mode: sum_i covectors[i] d outputs[i] / d variables[k] for every k, in one sweep over the graph. The zero
// constant where there is none.
std::vector<NodeId> reverse(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> covectors,
                            std::span<const NodeId> variables);

}  // namespace salvo::expression
