#pragma once

#include <optional>
#include <string>

#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// Writes events as such that act at once, with values that they compute when they act: one that waits, or whose values
// are from the time of its trigger, becomes one that keeps what is needed and one that uses it later. Events with the
// same trigger become one where their order makes no difference. `start`: the time at which all runs begin, if they
// begin together. Returns what is not supported, if anything is not.
std::string arrange_events(Model& model, std::optional<double> start);

}  // namespace salvo::formats::sbml
