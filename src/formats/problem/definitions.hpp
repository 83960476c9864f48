#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Reads the section `definitions` and the inputs of networks, in the order in which they need each other. A cycle is an
// Issue that names it.
void read_definitions(Draft& draft, const yaml::Node& section);

}  // namespace salvo::formats
