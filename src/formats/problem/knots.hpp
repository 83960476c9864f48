#pragma once

#include <cstddef>
#include <optional>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// {knots: 5, guess: 1, bounds: [...], scale: ..., smoothness: s}: an unknown field by its values at a few places,
// linear between them. Every experiment has its own. With `smoothness` the field is made of its ends and of the bends
// at the knots between, v[i-1] - 2 v[i] + v[i+1], which are believed to be normal(0, s); the values are then derived.
std::optional<model::InitialField> read_knots(Draft& draft, const yaml::Node& node, const model::Field& field,
                                              std::size_t experiment);

}  // namespace salvo::formats
