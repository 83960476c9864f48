#include "formats/problem/draft.hpp"

#include <algorithm>

#include "expression/field_operators.hpp"

namespace salvo::formats {

std::string_view to_string(Name::Kind kind) {
  switch (kind) {
    case Name::Kind::state: return "a state";
    case Name::Kind::parameter: return "a parameter";
    case Name::Kind::definition: return "a definition";
    case Name::Kind::observable: return "an observable";
    case Name::Kind::input: return "an input";
    case Name::Kind::derived: return "a derived quantity";
    case Name::Kind::algebraic: return "an algebraic variable";
    case Name::Kind::field: return "a field";
    case Name::Kind::coordinate: return "a coordinate";
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

bool Draft::has_observable(std::string_view name) const {
  return std::any_of(problem.observables.begin(), problem.observables.end(),
                     [&](const model::Observable& observable) { return observable.id == name; });
}

std::vector<std::string> Draft::observable_names() const {
  std::vector<std::string> ids;
  for (const model::Observable& observable : problem.observables) ids.push_back(observable.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

bool Draft::is_differential(const Name* name) const {
  return name != nullptr && name->kind == Name::Kind::state &&
         !problem.states[static_cast<std::size_t>(name->index)].is_algebraic;
}

void Draft::warn(Place place, std::string message, std::string hint) {
  problem.warnings.push_back({.kind = Issue::Kind::warning,
                              .file = file.name,
                              .line = place.line,
                              .column = place.column,
                              .message = std::move(message),
                              .hint = std::move(hint)});
}

namespace {

// Arguments come before what is made of them.
Traits traits_of(const Draft& draft, NodeId id) {
  const expression::Graph& graph = draft.problem.graph;
  if (graph.is_symbol(id)) {
    const Name* name = draft.find(graph.symbol_name(id));
    const auto is = [&](Name::Kind kind) { return name != nullptr && name->kind == kind; };
    return {.uses_states = is(Name::Kind::state) || is(Name::Kind::algebraic) || is(Name::Kind::field),
            .uses_time = id == draft.problem.time,
            .uses_inputs = is(Name::Kind::input),
            .uses_space = is(Name::Kind::coordinate)};
  }
  Traits traits;
  for (int i = 0; i < expression::argument_count(graph[id].op); ++i) {
    const Traits& argument = draft.traits[static_cast<std::size_t>(graph[id].arguments[i])];
    traits.uses_states |= argument.uses_states;
    traits.uses_time |= argument.uses_time;
    traits.uses_inputs |= argument.uses_inputs;
    traits.uses_delays |= argument.uses_delays;
    traits.uses_space |= argument.uses_space;
    traits.uses_field_operators |= argument.uses_field_operators;
  }
  traits.uses_delays |= graph[id].op == expression::Op::delay;
  traits.uses_field_operators |= expression::is_field_operator(graph[id].op);
  return traits;
}

}  // namespace

// Each node is looked at once, so that a chain of definitions costs its length.
Traits what_it_uses(Draft& draft, NodeId node) {
  while (static_cast<NodeId>(draft.traits.size()) < draft.problem.graph.size())
    draft.traits.push_back(traits_of(draft, static_cast<NodeId>(draft.traits.size())));
  return draft.traits[static_cast<std::size_t>(node)];
}

void note_what_it_uses(Draft& draft, Definition& definition) {
  definition.traits = what_it_uses(draft, definition.node);
}

}  // namespace salvo::formats
