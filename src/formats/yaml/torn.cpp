#include "formats/yaml/torn.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace salvo::formats::yaml {
namespace {

bool is_plain(const Node& node) { return node.is_text() && node.style == ' '; }

int open_parentheses(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')'));
}

// How many of the pieces after the first are needed until every parenthesis is closed; 0 if that does not happen.
template <class PieceAt>
std::size_t pieces_to_join(const Node& first, std::size_t available, PieceAt piece_at) {
  if (!is_plain(first)) return 0;
  int open = open_parentheses(first.text);
  for (std::size_t k = 0; k < available && open > 0; ++k) {
    const Node* piece = piece_at(k);
    if (piece == nullptr || !is_plain(*piece)) return 0;
    open += open_parentheses(piece->text);
    if (open == 0) return k + 1;
  }
  return 0;
}

void join(std::string_view file_text, Node& first, const Node& last) {
  first.kind = Node::Kind::torn;
  first.text = std::string(file_text.substr(first.offset, last.offset + last.text.size() - first.offset));
}

template <class Elements>
void erase(Elements& elements, std::size_t first, std::size_t count) {
  const auto begin = std::next(elements.begin(), static_cast<std::ptrdiff_t>(first));
  elements.erase(begin, std::next(begin, static_cast<std::ptrdiff_t>(count)));
}

}  // namespace

void join_torn_values(std::string_view file_text, Node& map) {
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    const auto piece_at = [&](std::size_t k) -> const Node* {
      const Entry& entry = map.entries[i + 1 + k];
      return entry.value.kind == Node::Kind::null ? &entry.key : nullptr;
    };
    const std::size_t count = pieces_to_join(map.entries[i].value, map.entries.size() - i - 1, piece_at);
    if (count == 0) continue;
    join(file_text, map.entries[i].value, map.entries[i + count].key);
    erase(map.entries, i + 1, count);
  }
}

void join_torn_items(std::string_view file_text, Node& sequence) {
  for (std::size_t i = 0; i < sequence.items.size(); ++i) {
    const auto piece_at = [&](std::size_t k) { return &sequence.items[i + 1 + k]; };
    const std::size_t count = pieces_to_join(sequence.items[i], sequence.items.size() - i - 1, piece_at);
    if (count == 0) continue;
    join(file_text, sequence.items[i], sequence.items[i + count]);
    erase(sequence.items, i + 1, count);
  }
}

}  // namespace salvo::formats::yaml
