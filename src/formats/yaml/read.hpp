#pragma once

#include <optional>

#include "formats/text_file.hpp"
#include "formats/yaml/node.hpp"

namespace salvo::formats::yaml {

struct Document {
  std::optional<Node> root{};  // missing if the text could not be read to its end; a null node if it says nothing
  Issues issues{};
};

Document read(const TextFile& file);

inline constexpr int deepest_nesting = 64;
inline constexpr std::size_t most_nodes_by_aliases = 100'000;
inline constexpr const char* quote_hint = "put the formula in quotes";

}  // namespace salvo::formats::yaml
