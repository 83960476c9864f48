#pragma once

#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// The section `algebraic`, after definitions and equations: variables that formulas solve for become definitions, the
// others states with an equation 0 = g; what has been read takes them over.
void read_algebraic(Draft& draft, const yaml::Node& section);

// Its equation, if this is an algebraic variable.
const model::AlgebraicEquation* algebraic_equation_of(const Draft& draft, const std::string& id);

// {near: 0.7}, or a plain number: where the root is looked for at the start.
std::optional<NodeId> read_algebraic_start(Draft& draft, const yaml::Node& node,
                                           const model::AlgebraicEquation& equation);

// Where none is stated: the first measurement of the variable itself, otherwise 1. The data must have been read.
void complete_algebraic_starts(Draft& draft);

}  // namespace salvo::formats
