#pragma once

#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::compile {

// Nodes that the values compute on the way and that their pullback uses: kept by the one tape, they need not be
// computed again by the other. Nothing is kept where computing it again is as cheap as keeping it.
std::vector<expression::NodeId> worth_keeping(const expression::Graph& graph,
                                              std::span<const expression::NodeId> values,
                                              std::span<const expression::NodeId> pullback);

}  // namespace salvo::compile
