#pragma once

#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

enum class Guess { needed, optional };

// {guess: ..., bounds: [lo, hi], scale: ..., prior: ..., starts: ...} of the quantity named `id`. Without a guess the
// middle of two finite bounds (on the scale) is taken.
std::optional<model::Estimated> read_estimated(Draft& draft, const yaml::Node& map, const std::string& id, Guess guess);

// Equal bounds leave nothing to estimate: their value, with a warning that says so.
std::optional<double> fixed_by_bounds(Draft& draft, const yaml::Node& map, const std::string& id,
                                      const model::Estimated& estimated);

}  // namespace salvo::formats
