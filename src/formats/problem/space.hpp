#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// From where to where a coordinate reaches, and how it is divided.
void read_space(Draft& draft, const yaml::Node& node, model::Space& space);

// Two coordinates are those of a rectangle.
void check_rectangle(Draft& draft, const yaml::Node& section);

}  // namespace salvo::formats
