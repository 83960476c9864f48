#include "formats/yaml/builder.hpp"

#include <fmt/format.h>

#include "formats/yaml/read.hpp"
#include "formats/yaml/torn.hpp"

namespace salvo::formats::yaml {
namespace {

Place place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

Node node_at(Node::Kind kind, const YAML::Mark& mark) {
  Node node;
  node.kind = kind;
  node.place = place_of(mark);
  node.offset = static_cast<std::size_t>(mark.pos);
  return node;
}

std::size_t count_nodes(const Node& node) {
  std::size_t count = 1;
  for (const Node& item : node.items) count += count_nodes(item);
  for (const Entry& entry : node.entries) count += 1 + count_nodes(entry.value);
  return count;
}

// The scanner marks a scalar at its anchor; its text begins after it.
void step_over_anchor(std::string_view text, Node& scalar) {
  const std::size_t name_end = text.find_first_of(" \t\n", scalar.offset);
  const std::size_t begin = text.find_first_not_of(" \t", std::min(name_end, text.size()));
  if (begin == std::string_view::npos || text[begin] == '\n') return;
  scalar.place.column += static_cast<int>(begin - scalar.offset);
  scalar.offset = begin;
}

bool is_closed(std::string_view text, const Node& quoted) {
  for (std::size_t i = quoted.offset + 1; i < text.size(); ++i) {
    if (quoted.style == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == quoted.style)
      return true;
  }
  return false;
}

}  // namespace

void Builder::stop(Place place, std::string message, std::string hint) {
  log_.add(place, std::move(message), std::move(hint));
  stopped_ = true;
}

void Builder::OnDocumentStart(const YAML::Mark& mark) {
  if (stopped_ || !root_) return;
  stop(place_of(mark), "a second document begins here; a problem file is one",
       "remove the line '---', or check the indentation");
}

bool Builder::is_tagged(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& tag) {
  const auto at = static_cast<std::size_t>(mark.pos);
  const bool begins_with_tag = at < file_.text.size() && file_.text[at] == '!';
  const bool has_tag = begins_with_tag || (!tag.empty() && tag != "?" && tag != "!");
  if (!has_tag) return false;
  log_.add(place_of(mark), "YAML takes a text that begins with '!' for a tag", quote_hint);
  Node broken = node_at(Node::Kind::broken, mark);
  broken.text = tag;
  add(std::move(broken), anchor);
  return true;
}

void Builder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (stopped_) return;
  Node node = node_at(Node::Kind::null, mark);
  if (anchor != 0) {
    log_.add(place_of(mark), "YAML takes a text that begins with '&' for an anchor", quote_hint);
    node.kind = Node::Kind::broken;
  } else if (!open_.empty() && open_.back().key) {
    node.place = open_.back().key->place;  // the scanner is already on the next line
  }
  add(std::move(node), anchor);
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (stopped_) return;
  const auto found = anchored_.find(anchor);
  if (found == anchored_.end())
    return stop(place_of(mark), "an alias cannot stand inside the value that it names", "write the value out");
  nodes_by_aliases_ += count_nodes(found->second);
  if (nodes_by_aliases_ > most_nodes_by_aliases)
    return stop(place_of(mark), fmt::format("aliases grow to more than {} values", most_nodes_by_aliases),
                "write the values out, or use fewer aliases");
  Node copy = found->second;
  add(std::move(copy), 0);
}

void Builder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       const std::string& value) {
  if (stopped_ || is_tagged(mark, anchor, tag)) return;
  Node node = node_at(Node::Kind::scalar, mark);
  node.text = value;
  if (anchor != 0) step_over_anchor(file_.text, node);
  if (tag == "!") node.style = file_.text[node.offset];
  if ((node.style == '"' || node.style == '\'') && !is_closed(file_.text, node))
    return stop(node.place, "a quoted text begins here and is never closed", "add the missing quote");
  if (const auto code = find_control(value)) {  // written as an escape
    log_.add(node.place, fmt::format("a control character (code {}) does not belong here", *code), "delete it");
    node.kind = Node::Kind::broken;
  }
  add(std::move(node), anchor);
}

void Builder::OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                              YAML::EmitterStyle::value style) {
  open(Node::Kind::sequence, mark, anchor, style == YAML::EmitterStyle::Flow);
}

void Builder::OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) {
  open(Node::Kind::map, mark, anchor, style == YAML::EmitterStyle::Flow);
}

void Builder::open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, bool in_braces) {
  if (stopped_) return;
  if (open_.size() >= static_cast<std::size_t>(deepest_nesting))
    return stop(place_of(mark), fmt::format("values are nested more than {} deep", deepest_nesting),
                "a problem file needs no more than a handful of levels");
  open_.push_back({.node = node_at(kind, mark), .anchor = anchor, .in_braces = in_braces});
}

void Builder::OnSequenceEnd() { close(); }
void Builder::OnMapEnd() { close(); }

void Builder::close() {
  if (stopped_) return;
  Open closed = std::move(open_.back());
  open_.pop_back();
  if (closed.node.kind == Node::Kind::map) {
    if (closed.in_braces) {
      join_torn_values(file_.text, closed.node);
      mend_missing_spaces(closed.node);
    }
    drop_duplicates(closed.node);
  } else if (closed.in_braces) {
    join_torn_items(file_.text, closed.node);
  }
  add(std::move(closed.node), closed.anchor);
}

void Builder::add(Node node, YAML::anchor_t anchor) {
  if (anchor != 0) anchored_[anchor] = node;
  if (open_.empty())
    root_ = std::move(node);
  else if (open_.back().node.kind == Node::Kind::sequence)
    open_.back().node.items.push_back(std::move(node));
  else
    add_to_map(open_.back(), std::move(node));
}

void Builder::add_to_map(Open& map, Node node) {
  if (!map.key) {
    map.key = std::move(node);
    return;
  }
  if (map.key->is_text())
    map.node.entries.push_back({std::move(*map.key), std::move(node)});
  else if (map.key->kind != Node::Kind::broken)
    log_.add(map.key->place, "the key before a ':' must be a plain text", "check the brackets and the colons");
  map.key.reset();
}

// {guess:1} is a key without a value to YAML. It is told, and read on as what was meant.
void Builder::mend_missing_spaces(Node& map) {
  for (Entry& entry : map.entries) {
    const std::size_t colon = entry.key.text.find(':');
    const bool looks_so = entry.value.kind == Node::Kind::null && entry.key.style == ' ' &&
                          colon != std::string::npos && colon > 0 && colon + 1 < entry.key.text.size();
    if (!looks_so) continue;
    entry.value = entry.key;
    entry.value.text = entry.key.text.substr(colon + 1);
    entry.value.offset += colon + 1;
    entry.value.place.column += static_cast<int>(colon) + 1;
    entry.key.text.resize(colon);
    log_.add(entry.value.place, "a space is missing after the colon", "write 'key: value'");
  }
}

void Builder::drop_duplicates(Node& map) {
  std::map<std::string, Place> first;
  std::vector<Entry> kept;
  for (Entry& entry : map.entries) {
    const auto [place, is_new] = first.emplace(entry.key.text, entry.key.place);
    if (is_new)
      kept.push_back(std::move(entry));
    else
      log_.add(entry.key.place,
               fmt::format("'{}' is given twice; the first is at {}", entry.key.text, to_string(place->second)),
               "remove one of them");
  }
  map.entries = std::move(kept);
}

}  // namespace salvo::formats::yaml
