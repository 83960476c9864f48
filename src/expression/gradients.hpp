#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::expression {

struct Partial {
  int column = 0;  // index of the variable
  NodeId node = no_node;
};
using Gradient = std::vector<Partial>;  // by column, without entries that are identically zero

// What is differentiated by. Who differentiates many formulas by the same variables keeps them in this form.
struct Variables {
  explicit Variables(std::span<const NodeId> variables);

  std::vector<NodeId> nodes;
  std::unordered_map<NodeId, int> column_of;
};

// Gradients of many nodes with respect to the same variables, each by one backward sweep over the nodes it is made of.
//
// A node with branches is a leaf of the sweep, with a gradient of its own that was made before:
//   grad select(c, a, b) = select(c, grad a, grad b).
// Passing select(c, seed, 0) on to the branch instead would give 0 * inf = NaN wherever the branch that is not taken
// has a pole, as in piecewise(log(x), x > 0, 0) at x = 0.
class Gradients {
 public:
  // The variables must outlive it.
  Gradients(Graph& graph, std::span<const NodeId> outputs, const Variables& variables);

  // sum_i seeds[i] grad outputs[i]; the outputs must be among those of the constructor or below them.
  Gradient sweep(std::span<const NodeId> outputs, std::span<const NodeId> seeds);

 private:
  void find_active(std::span<const NodeId> ascending);
  bool is_leaf(NodeId id) const;
  Gradient through_branches(NodeId id);
  void accumulate(NodeId id, NodeId seed);
  void pass_on(NodeId id, NodeId seed);
  Gradient collect();

  Graph& graph_;
  const Variables& variables_;
  std::unordered_set<NodeId> active_;  // they depend on a variable
  std::unordered_map<NodeId, Gradient> branch_gradients_;
  std::unordered_map<NodeId, NodeId> adjoint_;  // of the sweep under way
};

}  // namespace salvo::expression
