#include <fmt/format.h>

#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

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

void read_events(Draft& draft, const yaml::Entry& section) {
  if (!is_list(draft, section.value, "the section 'events'")) return;
  for (const Node& item : section.value.items) read_event(draft, item);
  refuse(draft, section);
}

}  // namespace salvo::formats
