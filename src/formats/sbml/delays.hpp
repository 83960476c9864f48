#pragma once

#include <string>

#include "formats/sbml/equations.hpp"
#include "model/problem.hpp"

namespace salvo::formats::sbml {

bool uses_delays(const expression::Graph& graph);

// A quantity that nothing changes after the start, but whose initial assignment says what it was before, and which
// delay() looks at: it has a past like a state.
bool has_changing_past(const Model& model, const Quantity& quantity);

// What is not covered of delay() in the formulas of a problem whose graph is still that of the model; empty: all is.
std::string refused_delay(const Model& model, const model::Problem& problem);

}  // namespace salvo::formats::sbml
