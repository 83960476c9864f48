#include "formats/problem/draft.hpp"

namespace salvo::formats {

std::string_view to_string(Name::Kind kind) {
  switch (kind) {
    case Name::Kind::state: return "a state";
    case Name::Kind::parameter: return "a parameter";
    case Name::Kind::definition: return "a definition";
    case Name::Kind::observable: return "an observable";
  }
  return {};
}

const Name* Draft::find(std::string_view name) const {
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &found->second;
}

std::vector<std::string> Draft::names_of(Name::Kind kind) const {
  std::vector<std::string> found;
  for (const auto& [id, name] : names)
    if (name.kind == kind) found.push_back(id);
  return found;
}

void Draft::warn(Place place, std::string message, std::string hint) {
  problem.warnings.push_back({.kind = Issue::Kind::warning,
                              .file = file.name,
                              .line = place.line,
                              .column = place.column,
                              .message = std::move(message),
                              .hint = std::move(hint)});
}

void note_what_it_uses(const Draft& draft, Definition& definition) {
  for (const NodeId symbol : expression::symbols_of(draft.problem.graph, {&definition.node, 1})) {
    if (symbol == draft.problem.time) definition.uses_time = true;
    const Name* name = draft.find(draft.problem.graph.symbol_name(symbol));
    if (name != nullptr && name->kind == Name::Kind::state) definition.uses_states = true;
  }
}

}  // namespace salvo::formats
