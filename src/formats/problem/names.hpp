#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Enters the keys of the sections equations, parameters, definitions and observables as names, so that formulas may use
// them whatever the order of the file; then covariates of the data and the weights of networks. Entry i of a section
// becomes the i-th state, parameter, definition or observable.
void declare_names(Draft& draft, const yaml::Node& root);

// Enters one name; an Issue if it is taken.
void declare_name(Draft& draft, const std::string& id, const Name& name);

// An Issue if not.
bool can_be_a_name(Draft& draft, const yaml::Node& key);

}  // namespace salvo::formats
