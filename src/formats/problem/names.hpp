#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Enters the keys of the sections equations, parameters, definitions and observables as names, so that formulas may use
// them whatever the order of the file. Entry i of a section becomes the i-th state, parameter, definition or
// observable.
void declare_names(Draft& draft, const yaml::Node& root);

}  // namespace salvo::formats
