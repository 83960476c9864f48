#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Reads the shapes in the section `networks` and enters their weights as parameters and their outputs as definitions
// without formulas. A network with a mistake in its shape hides its names.
void declare_networks(Draft& draft, const yaml::Node& section);

// Reads the inputs of a network and gives its outputs their formulas. What the inputs use must have been read.
void read_network(Draft& draft, const NetworkDraft& network);

}  // namespace salvo::formats
