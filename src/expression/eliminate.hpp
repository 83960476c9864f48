#pragma once

#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::expression {

// An unknown that is a formula: -rest / coefficient of an equation that is affine in it.
struct SolvedUnknown {
  int equation = 0;
  int unknown = 0;
  NodeId value = no_node;        // without unknowns that are formulas themselves
  NodeId coefficient = no_node;  // the value is divided by it; where it vanishes there is no solution
};

// Equations 0 = g_i as far as formulas solve them.
struct Elimination {
  std::vector<SolvedUnknown> solved{};
  std::vector<int> equations{};  // that are left ...
  std::vector<NodeId> left{};    // ... and what they have become
  std::vector<int> unknowns{};   // that are left
};

// Solves one equation after the other for an unknown in which it is affine, those with the fewest unknowns first, and
// puts the formula into all others. Where there are several such unknowns, `own[i]` of equation i comes first (-1: it
// has none), then those that are divided by a number.
Elimination eliminate(Graph& graph, std::span<const NodeId> equations, std::span<const NodeId> unknowns,
                      std::span<const int> own);

// For each of these equations an unknown of its own by which its derivative is not zero, as many as there can be: a
// maximum matching. The index of the unknown, or -1.
std::vector<int> match_unknowns(Graph& graph, std::span<const NodeId> equations, std::span<const NodeId> unknowns);

}  // namespace salvo::expression
