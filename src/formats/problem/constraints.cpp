#include <fmt/format.h>

#include <cctype>

#include "expression/parse.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

struct Relation {
  std::size_t at = 0;
  std::size_t length = 0;
};

// The first <, <=, >, >=, = or == outside parentheses.
std::optional<Relation> find_relation(std::string_view text) {
  int open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++open;
    if (text[i] == ')') --open;
    if (open != 0 || std::string_view("<>=").find(text[i]) == std::string_view::npos) continue;
    const bool is_long = i + 1 < text.size() && text[i + 1] == '=';
    return Relation{.at = i, .length = is_long ? 2u : 1u};
  }
  return std::nullopt;
}

// initial(x1) becomes the name initial_x1, padded to the same length so that columns stay true.
std::string with_initial_values_as_names(std::string text) {
  constexpr std::string_view call = "initial(";
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
    const std::size_t end = text.find(')', at);
    if (end == std::string::npos) break;
    const std::size_t begin = at + call.size();
    const std::string inside = text.substr(begin, end - begin);
    const std::size_t first = inside.find_first_not_of(' ');
    const std::string name =
        first == std::string::npos ? "" : inside.substr(first, inside.find_last_not_of(' ') - first + 1);
    if (!expression::is_name(name)) continue;
    std::string replacement = "initial_" + name;
    replacement.resize(end + 1 - at, ' ');
    text.replace(at, replacement.size(), replacement);
  }
  return text;
}

void read_side(Draft& draft, const Node& scalar, std::size_t begin, std::size_t end) {
  const std::string text = with_initial_values_as_names(scalar.text.substr(begin, end - begin));
  const FormulaText side{.scalar = &scalar, .text = text, .first_column = static_cast<int>(begin) + 1};
  read_formula(draft, side, "a constraint", {.initial_values = true});
}

void read_constraint(Draft& draft, const Node& node) {
  if (!is_formula_text(draft, node, "a constraint")) return;
  const std::optional<Relation> relation = find_relation(node.text);
  if (!relation) {
    draft.log.add(node.place, "a constraint must compare two formulas", "write, for example, p1 + p2 <= 3");
    return;
  }
  read_side(draft, node, 0, relation->at);
  read_side(draft, node, relation->at + relation->length, node.text.size());
}

bool is_list(Draft& draft, const Node& node, const std::string& what) {
  if (node.kind == Node::Kind::sequence || node.kind == Node::Kind::null) return true;
  if (node.kind != Node::Kind::broken)
    draft.log.add(node.place, fmt::format("{} must be a list", what), "begin each line with '- '");
  return false;
}

void refuse(Draft& draft, const yaml::Entry& section) {
  if (section.value.items.empty()) return;
  draft.unsupported.push_back({.kind = Issue::Kind::unsupported,
                               .file = draft.file.name,
                               .line = section.key.place.line,
                               .column = section.key.place.column,
                               .message = section.key.text + " are not supported yet",
                               .hint = fmt::format("remove the section '{}' to go on without", section.key.text)});
}

void read_event_changes(Draft& draft, const Node& set) {
  if (!is_map(draft, set, "'set' of an event")) return;
  for (const yaml::Entry& entry : set.entries) {
    const Name* name = draft.find(entry.key.text);
    if (name == nullptr || name->kind != Name::Kind::state)
      draft.log.add(entry.key.place, fmt::format("'{}' in an event is not a state", entry.key.text),
                    hint_for_unknown(entry.key.text, draft.names_of(Name::Kind::state)));
    read_formula(draft, entry.value, fmt::format("the new value of {} in an event", entry.key.text), everything());
  }
}

void read_event(Draft& draft, const Node& node) {
  if (node.kind == Node::Kind::broken) return;
  if (node.kind != Node::Kind::map) {
    draft.log.add(node.place, fmt::format("an event must be a map, but is {}", kind_in_words(node)),
                  "write {at: 5, set: {x1: x1 + 1}}");
    return;
  }
  check_options(draft, node, "an event", std::vector<std::string>{"at", "when", "set"});
  const Node* at = node.find("at");
  const Node* when = node.find("when");
  if ((at == nullptr) == (when == nullptr))
    draft.log.add(node.place, "an event needs either 'at' or 'when'", "write {at: 5, set: {x1: x1 + 1}}");
  if (at != nullptr) read_formula(draft, *at, "the time of an event", only_parameters());
  if (when != nullptr) read_formula(draft, *when, "the condition of an event", everything());
  if (const Node* set = node.find("set"))
    read_event_changes(draft, *set);
  else
    draft.log.add(node.place, "an event needs 'set'", "write {at: 5, set: {x1: x1 + 1}}");
}

}  // namespace

void read_constraints(Draft& draft, const yaml::Entry& section) {
  if (!is_list(draft, section.value, "the section 'constraints'")) return;
  for (const Node& item : section.value.items) read_constraint(draft, item);
  refuse(draft, section);
}

void read_events(Draft& draft, const yaml::Entry& section) {
  if (!is_list(draft, section.value, "the section 'events'")) return;
  for (const Node& item : section.value.items) read_event(draft, item);
  refuse(draft, section);
}

}  // namespace salvo::formats
