#pragma once

#include <string>

#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// Writes events as such that act at once and in any order: an event that waits becomes one that keeps its values and
// one that sets them later; events with the same trigger become one, in the order of their priorities. `start`: the
// time at which all runs begin. What cannot be written so is returned in words.
std::string arrange_events(Model& model, double start);

}  // namespace salvo::formats::sbml
