#include "formats/problem/names.hpp"

#include <fmt/format.h>

#include "expression/parse.hpp"
#include "formats/problem/networks.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

void declare(Draft& draft, const Node* section, Name::Kind kind) {
  if (section == nullptr || section->kind != Node::Kind::map) return;
  int index = 0;
  for (const yaml::Entry& entry : section->entries) {
    const Name name{.kind = kind, .index = index++, .place = entry.key.place};
    if (!can_be_a_name(draft, entry.key)) continue;
    declare_name(draft, entry.key.text, name);
  }
}

template <class Thing>
void enter(const Node* section, std::vector<Thing>& things) {
  if (section == nullptr) return;
  for (const yaml::Entry& entry : section->entries) {
    Thing thing;
    thing.id = entry.key.text;
    things.push_back(std::move(thing));
  }
}

}  // namespace

bool can_be_a_name(Draft& draft, const Node& key) {
  if (!expression::is_name(key.text)) {
    draft.log.add(key.place, fmt::format("'{}' cannot be a name", key.text.substr(0, 40)),
                  "a name is made of the letters a-z and A-Z, digits and '_', and does not begin with a digit");
    return false;
  }
  if (key.text == "t" || key.text == "time") {
    draft.log.add(key.place, fmt::format("'{}' is the time and cannot name anything else", key.text), "rename it");
    return false;
  }
  if (expression::is_reserved(key.text)) {
    draft.log.add(key.place, fmt::format("'{}' has a meaning in formulas and cannot name anything else", key.text),
                  "rename it");
    return false;
  }
  return true;
}

void declare_name(Draft& draft, const std::string& id, const Name& name) {
  const auto [first, is_new] = draft.names.emplace(id, name);
  if (!is_new)
    draft.log.add(name.place,
                  fmt::format("'{}' is defined twice: here as {}, and as {} at {}", id, to_string(name.kind),
                              to_string(first->second.kind), to_string(first->second.place)),
                  "rename one of them");
}

void declare_names(Draft& draft, const Node& root) {
  model::Problem& problem = draft.problem;
  problem.time = problem.graph.symbol("t");
  enter(root.find("equations"), problem.states);
  enter(root.find("parameters"), problem.parameters);
  enter(root.find("definitions"), draft.definitions);
  enter(root.find("observables"), problem.observables);
  enter(root.find("inputs"), problem.inputs);
  for (model::State& state : problem.states) state.symbol = problem.graph.symbol(state.id);
  for (model::Parameter& parameter : problem.parameters) parameter.symbol = problem.graph.symbol(parameter.id);
  for (model::Input& input : problem.inputs) input.symbol = problem.graph.symbol(input.id);
  declare(draft, root.find("equations"), Name::Kind::state);
  declare(draft, root.find("parameters"), Name::Kind::parameter);
  declare(draft, root.find("definitions"), Name::Kind::definition);
  declare(draft, root.find("observables"), Name::Kind::observable);
  declare(draft, root.find("inputs"), Name::Kind::input);
  const Node* networks = root.find("networks");
  if (networks != nullptr) declare_networks(draft, *networks);
}

}  // namespace salvo::formats
