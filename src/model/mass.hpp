#pragma once

#include <utility>
#include <vector>

#include "model/problem.hpp"

namespace salvo::model {

// M x' = f with M of numbers and parameters: row i belongs to the equation of state i and has its entries [state,
// value].
using MassRows = std::vector<std::vector<std::pair<int, NodeId>>>;

// The same as differential equations of combinations w = x_i + sum_k R_ik x_k, and 0 = N f for what M says nothing of
// (N M = 0). Combinations with their rows divided by a pivot: where that vanishes, so does a rate.
struct ReducedMass {
  struct Combination {
    int state = 0;                                 // i
    std::vector<std::pair<int, NodeId>> others{};  // k, R_ik; none: w is the state itself
    NodeId derivative = expression::no_node;
  };
  struct Zero {
    int row = 0;  // of M, whose equation it has become
    NodeId g = expression::no_node;
  };
  std::vector<Combination> combinations{};
  std::vector<int> algebraic{};  // the other states
  std::vector<Zero> zeros{};     // as many equations
};

// By Gauss-Jordan elimination with formulas (docs/mathematics.md, section 23).
ReducedMass reduce_mass(expression::Graph& graph, const MassRows& rows, const std::vector<NodeId>& f);

}  // namespace salvo::model
