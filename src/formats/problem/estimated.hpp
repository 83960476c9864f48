#pragma once

#include <optional>
#include <string>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

enum class Guess { needed, optional };

// {guess: ..., bounds: [lo, hi], scale: ..., prior: ...} of the quantity named `id`. Without a guess the middle of two
// finite bounds (on the scale) is taken.
std::optional<model::Estimated> read_estimated(Draft& draft, const yaml::Node& map, const std::string& id, Guess guess);

}  // namespace salvo::formats
