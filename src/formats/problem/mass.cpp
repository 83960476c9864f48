#include "formats/problem/mass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/problem/formula.hpp"
#include "formats/problem/values.hpp"
#include "model/mass.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

std::vector<std::pair<int, NodeId>> read_row(Draft& draft, const yaml::Entry& entry) {
  std::vector<std::pair<int, NodeId>> row;
  const std::string what = fmt::format("the row of {} in 'mass'", entry.key.text);
  if (entry.value.is_text() && entry.value.text == "0") return row;
  if (!is_map(draft, entry.value, what)) return row;
  for (const yaml::Entry& column : entry.value.entries) {
    const Name* name = draft.find(column.key.text);
    if (name == nullptr || name->kind != Name::Kind::state)
      draft.log.add(column.key.place, fmt::format("'{}' in {} is not a state", column.key.text, what),
                    hint_for_unknown(column.key.text, draft.names_of(Name::Kind::state)));
    const auto value = read_formula(draft, column.value, what, only_parameters());
    if (name != nullptr && name->kind == Name::Kind::state && value) row.push_back({name->index, *value});
  }
  return row;
}

std::string fresh_name(const Draft& draft, const std::string& state) {
  std::string id = "mass_" + state;
  while (draft.find(id) != nullptr) id += '_';
  return id;
}

// w takes the place of the state, which becomes a formula of w and the others.
void combine(Draft& draft, const model::ReducedMass::Combination& each) {
  expression::Graph& graph = draft.problem.graph;
  const model::State before = draft.problem.states[static_cast<std::size_t>(each.state)];
  const std::string id = fresh_name(draft, before.id);
  model::State& state = draft.problem.states[static_cast<std::size_t>(each.state)];
  state = {.id = id, .symbol = graph.symbol(id), .derivative = each.derivative};
  CombinedState combined{.id = id, .state = before.id};
  NodeId value = state.symbol;
  for (const auto& [k, factor] : each.others) {
    const model::State& other = draft.problem.states[static_cast<std::size_t>(k)];
    value = graph.subtract(value, graph.multiply(factor, other.symbol));
    combined.others.push_back({other.id, factor});
  }
  combined.symbol = state.symbol;
  combined.value = value;
  draft.names[id] = {.kind = Name::Kind::state, .index = each.state, .place = draft.names[before.id].place};
  Name& name = draft.names[before.id];
  name.kind = Name::Kind::definition;
  name.index = static_cast<int>(draft.definitions.size());
  draft.definitions.push_back({.id = before.id, .node = value});
  note_what_it_uses(draft, draft.definitions.back());
  draft.combined.push_back(std::move(combined));
  expression::Substitution put(graph, std::vector{before.symbol}, std::vector{value});
  for (model::State& any : draft.problem.states)
    if (any.derivative != expression::no_node) any.derivative = put({&any.derivative, 1}).front();
  for (ZeroRow& zero : draft.zero_rows) zero.g = put({&zero.g, 1}).front();
  for (Definition& definition : draft.definitions)
    if (definition.node != expression::no_node) definition.node = put({&definition.node, 1}).front();
}

void renumber_states(Draft& draft) {
  for (std::size_t i = 0; i < draft.problem.states.size(); ++i)
    draft.names[draft.problem.states[i].id].index = static_cast<int>(i);
}

}  // namespace

void read_mass(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'mass'")) return;
  model::Problem& problem = draft.problem;
  model::MassRows rows;
  std::vector<NodeId> f;
  std::vector<Place> place(problem.states.size());
  for (std::size_t i = 0; i < problem.states.size(); ++i) {
    rows.push_back({{static_cast<int>(i), problem.graph.constant(1)}});
    f.push_back(problem.states[i].derivative);
    if (f.back() == expression::no_node) return;  // its equation is faulty, which is told
  }
  for (const yaml::Entry& entry : section.entries) {
    const Name* name = draft.find(entry.key.text);
    if (name == nullptr || name->kind != Name::Kind::state) {
      draft.log.add(entry.key.place, fmt::format("'{}' in 'mass' is not a state", entry.key.text),
                    hint_for_unknown(entry.key.text, draft.names_of(Name::Kind::state)));
      continue;
    }
    rows[static_cast<std::size_t>(name->index)] = read_row(draft, entry);
    place[static_cast<std::size_t>(name->index)] = entry.key.place;
  }
  if (!draft.log.empty()) return;
  const model::ReducedMass reduced = model::reduce_mass(problem.graph, rows, f);
  for (const auto& zero : reduced.zeros) {
    const std::string& id = problem.states[static_cast<std::size_t>(zero.row)].id;
    draft.zero_rows.push_back(
        {.variable = problem.states[static_cast<std::size_t>(reduced.algebraic[draft.zero_rows.size()])].id,
         .row = id,
         .text = fmt::format("the row of {} without its derivatives", id),
         .g = zero.g,
         .place = place[static_cast<std::size_t>(zero.row)]});
  }
  for (const auto& each : reduced.combinations)
    problem.states[static_cast<std::size_t>(each.state)].derivative = each.derivative;
  for (const auto& each : reduced.combinations)
    if (!each.others.empty())
      combine(draft, {each.state, each.others, problem.states[static_cast<std::size_t>(each.state)].derivative});
  for (auto state = reduced.algebraic.rbegin(); state != reduced.algebraic.rend(); ++state) {
    draft.names[problem.states[static_cast<std::size_t>(*state)].id].kind = Name::Kind::algebraic;
    problem.states.erase(problem.states.begin() + *state);
  }
  renumber_states(draft);
}

void complete_combinations(Draft& draft, std::vector<model::Initial>& initial,
                           const std::map<std::string, NodeId>& given) {
  expression::Graph& graph = draft.problem.graph;
  for (const CombinedState& each : draft.combined) {
    const auto own = given.find(each.state);
    if (own == given.end()) continue;
    NodeId value = own->second;
    bool is_known = true;
    for (const auto& [other, factor] : each.others) {
      const auto its = given.find(other);
      is_known = is_known && its != given.end();
      if (is_known) value = graph.add(value, graph.multiply(factor, its->second));
    }
    if (is_known) initial[static_cast<std::size_t>(draft.names[each.id].index)] = value;
  }
}

}  // namespace salvo::formats
