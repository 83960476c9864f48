#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// The section `mass`, after the equations: M x' = f becomes differential equations of combinations of states and
// algebraic equations; states that are no combination by themselves become algebraic variables, or formulas of these.
void read_mass(Draft& draft, const yaml::Node& section);

// Initial values of combinations, from those that were given for the states in them.
void complete_combinations(Draft& draft, std::vector<model::Initial>& initial,
                           const std::map<std::string, NodeId>& given);

}  // namespace salvo::formats
