#include "formats/yaml/node.hpp"

namespace salvo::formats::yaml {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Walks over the file while keeping count of lines and columns.
struct Walker {
  std::string_view text{};
  std::size_t at = 0;
  Place place{};

  bool at_end() const { return at >= text.size(); }
  void step() {
    if (text[at] == '\n')
      place = {place.line + 1, 1};
    else
      ++place.column;
    ++at;
  }
};

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key.text == key) return &entry.value;
  return nullptr;
}

Place place_in_scalar(std::string_view file_text, const Node& scalar, int column) {
  Walker walker{.text = file_text, .at = scalar.offset, .place = scalar.place};
  if (scalar.style == '|' || scalar.style == '>')
    while (!walker.at_end() && file_text[walker.at] != '\n') walker.step();
  else if (scalar.style != ' ')
    walker.step();
  for (int k = 1; k < column && k <= static_cast<int>(scalar.text.size()); ++k) {
    const char wanted = scalar.text[static_cast<std::size_t>(k) - 1];
    if (is_blank(wanted)) continue;
    while (!walker.at_end() && is_blank(file_text[walker.at])) walker.step();
    if (walker.at_end() || file_text[walker.at] != wanted) return scalar.place;  // written with an escape
    walker.step();
  }
  const bool wants_text =
      column <= static_cast<int>(scalar.text.size()) && !is_blank(scalar.text[static_cast<std::size_t>(column) - 1]);
  while (wants_text && !walker.at_end() && is_blank(file_text[walker.at])) walker.step();
  return walker.place;
}

}  // namespace salvo::formats::yaml
