#pragma once

#include <string>
#include <vector>

#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// Finds which quantity each algebraic rule determines: one that no rule, reaction, event or condition (`set`)
// determines otherwise. It becomes an assignment where a formula solves the rule, or what Quantity::algebraic says.
Issues solve_algebraic_rules(Model& model, const std::string& file, const std::vector<int>& set);

}  // namespace salvo::formats::sbml
