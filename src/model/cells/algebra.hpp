#pragma once

#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::model::cells {

using expression::Graph;
using expression::NodeId;
using expression::Op;

// Formulas written as formulas.
struct Algebra {
  static constexpr double vanishing = 1e-100;  // beside any coefficient of diffusion; its square is a number, too

  Graph& graph;

  NodeId number(double value) const { return graph.constant(value); }
  NodeId sum(NodeId a, NodeId b) const { return graph.add(a, b); }
  NodeId difference(NodeId a, NodeId b) const { return graph.subtract(a, b); }
  NodeId product(NodeId a, NodeId b) const { return graph.multiply(a, b); }
  NodeId times(double a, NodeId b) const { return graph.multiply(number(a), b); }
  NodeId quotient(NodeId a, NodeId b) const { return graph.divide(a, b); }
  NodeId mean(NodeId a, NodeId b) const { return times(0.5, sum(a, b)); }
  // 2 a b/(a + b): what two layers let through one behind the other. Between two layers that let nothing through it is
  // nothing, and not 0/0.
  NodeId harmonic_mean(NodeId a, NodeId b) const {
    if (a == b) return a;
    return quotient(times(2, product(a, b)), sum(sum(a, b), number(vanishing)));
  }
  NodeId root(NodeId a) const { return graph.make(Op::sqrt, a); }
  bool is_zero(NodeId a) const { return graph.is_constant(a, 0) || graph.is_constant(a, -0.0); }

  NodeId put(NodeId formula, std::span<const NodeId> from, std::span<const NodeId> to) const;
  // d formula/d variable; the formula has no operations on fields.
  NodeId slope(NodeId formula, NodeId variable) const;
  bool speaks_of(NodeId formula, NodeId symbol) const;
  // Operations on fields that stand in no other.
  std::vector<NodeId> outermost_operations(NodeId formula) const;
};

}  // namespace salvo::model::cells
