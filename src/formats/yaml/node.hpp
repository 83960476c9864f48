#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/issue_log.hpp"

namespace salvo::formats::yaml {

struct Entry;

// One node of a YAML file with its place.
struct Node {
  enum class Kind {
    null,
    scalar,
    sequence,
    map,
    torn,    // a text with a comma inside parentheses that YAML took apart within { } or [ ]; `text` is the whole
    broken,  // already reported; says nothing
  };
  Kind kind = Kind::null;
  Place place{};
  std::size_t offset = 0;      // of the node's first character in the file
  std::string text{};          // of a scalar
  char style = ' ';            // of a scalar: its quote, '|' or '>' of a block, or ' '
  std::vector<Node> items{};   // of a sequence
  std::vector<Entry> entries;  // of a map; keys are scalars and differ (clang 14 refuses {} while Entry is incomplete)

  bool is_text() const { return kind == Kind::scalar; }
  const Node* find(std::string_view key) const;
};

struct Entry {
  Node key;
  Node value;
};

// Where the `column`-th character (from 1) of a scalar's text stands in the file; folded lines are followed.
Place place_in_scalar(std::string_view file_text, const Node& scalar, int column);

}  // namespace salvo::formats::yaml
