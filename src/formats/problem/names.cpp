#include "formats/problem/names.hpp"

#include <fmt/format.h>

#include "expression/parse.hpp"
#include "formats/problem/data_source.hpp"
#include "formats/problem/fields.hpp"
#include "formats/problem/networks.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

// Does this observable have the name of the state that it observes, as in  x1: {formula: x1}?
bool observes_its_namesake(const Draft& draft, const yaml::Entry& entry) {
  const Name* name = draft.find(entry.key.text);
  if (name == nullptr ||
      !(name->kind == Name::Kind::state || name->kind == Name::Kind::algebraic || name->kind == Name::Kind::field))
    return false;
  const Node* formula = entry.value.kind == Node::Kind::map ? entry.value.find("formula") : &entry.value;
  return formula != nullptr && formula->is_text() && formula->text == entry.key.text;
}

void declare_observables(Draft& draft, const Node* section) {
  if (section == nullptr || section->kind != Node::Kind::map) return;
  int index = 0;
  for (const yaml::Entry& entry : section->entries) {
    const Name name{.kind = Name::Kind::observable, .index = index++, .place = entry.key.place};
    if (!can_be_a_name(draft, entry.key) || observes_its_namesake(draft, entry)) continue;
    const Name* other = draft.find(entry.key.text);
    if (other == nullptr || other->kind != Name::Kind::state)
      declare_name(draft, entry.key.text, name);
    else
      draft.log.add(name.place,
                    fmt::format("'{0}' is a state ({1}); an observable may have its name only where its formula is {0}",
                                entry.key.text, to_string(other->place)),
                    "rename the observable");
  }
}

// The constants that columns of the data give to each experiment are parameters, whether the file lists them or not.
void declare_covariates(Draft& draft, const Node* data) {
  if (data == nullptr) return;
  const auto declare_those_of = [&](const Node& source) {
    for (const DataSource::Column& covariate : covariates_of(source)) {
      const Name* known = draft.find(covariate.meaning);
      if (known != nullptr && known->kind == Name::Kind::parameter) continue;
      Node key = *covariate.name;
      key.text = covariate.meaning;
      if (!can_be_a_name(draft, key)) continue;
      model::Problem& problem = draft.problem;
      declare_name(draft, covariate.meaning,
                   {.kind = Name::Kind::parameter,
                    .index = static_cast<int>(problem.parameters.size()),
                    .place = covariate.name->place});
      problem.parameters.push_back({.id = covariate.meaning, .symbol = problem.graph.symbol(covariate.meaning)});
    }
  };
  declare_those_of(*data);
  for (const Node& source : data->items) declare_those_of(source);
}

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
  enter(root.find("derived"), problem.derived);
  for (model::State& state : problem.states) state.symbol = problem.graph.symbol(state.id);
  for (model::Parameter& parameter : problem.parameters) parameter.symbol = problem.graph.symbol(parameter.id);
  for (model::Input& input : problem.inputs) input.symbol = problem.graph.symbol(input.id);
  declare(draft, root.find("equations"), Name::Kind::state);
  declare_fields(draft, root);
  declare(draft, root.find("algebraic"), Name::Kind::algebraic);
  declare(draft, root.find("parameters"), Name::Kind::parameter);
  declare(draft, root.find("definitions"), Name::Kind::definition);
  declare_observables(draft, root.find("observables"));
  declare(draft, root.find("inputs"), Name::Kind::input);
  declare(draft, root.find("derived"), Name::Kind::derived);
  declare_covariates(draft, root.find("data"));
  declare_covariates(draft, root.find("validation"));
  const Node* networks = root.find("networks");
  if (networks != nullptr) declare_networks(draft, *networks);
}

}  // namespace salvo::formats
