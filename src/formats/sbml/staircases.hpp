#pragma once

#include <optional>

#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

struct TimeSpan {
  double start = 0;
  double end = 0;
};

// Gives every staircase of the model its value, where that can be written down: of numbers, and of what changes evenly
// with time, one truth value for each jump within the span. Without a span, and for all else, it has none.
void lay_staircases(Model& model, const std::optional<TimeSpan>& span);

}  // namespace salvo::formats::sbml
