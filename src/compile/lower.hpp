#pragma once

#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::compile {

// The roots with powers of small constant exponents written as products, quotients and square roots: several times
// faster than pow, and as exact. Done on the graph, so that every backend computes the same thing.
std::vector<expression::NodeId> lower_powers(expression::Graph& graph, std::span<const expression::NodeId> roots);

}  // namespace salvo::compile
