#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// Where the fields of every experiment begin: formulas, tables or knots of the section `initial` and of the
// experiments' own. All experiments must be known.
void read_initial_fields(Draft& draft, const yaml::Node& root);

}  // namespace salvo::formats
