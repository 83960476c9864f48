#pragma once

#include <string_view>

#include "formats/yaml/node.hpp"

namespace salvo::formats::yaml {

// Within { } and [ ] YAML ends a text at a comma, also inside parentheses: {x1: max(a, b)} becomes x1: "max(a" and a
// key "b)". These put such texts together again, as nodes of kind `torn`.
void join_torn_values(std::string_view file_text, Node& map);
void join_torn_items(std::string_view file_text, Node& sequence);

}  // namespace salvo::formats::yaml
