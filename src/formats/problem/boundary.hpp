#pragma once

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// What holds at the ends of space; `fields` is the section of that name, where a missing condition is told.
void read_boundary(Draft& draft, const yaml::Node* section, const yaml::Node& fields);

}  // namespace salvo::formats
