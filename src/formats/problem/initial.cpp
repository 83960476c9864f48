#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/words.hpp"
#include "formats/problem/algebraic.hpp"
#include "formats/problem/estimated.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/mass.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

std::optional<model::Initial> read_initial_value(Draft& draft, const Node& node, const std::string& id) {
  if (node.kind == Node::Kind::map) {
    auto estimated = read_estimated(draft, node, id, Guess::optional);
    if (!estimated) return std::nullopt;
    if (const auto fixed = fixed_by_bounds(draft, node, id, *estimated)) return draft.problem.graph.constant(*fixed);
    return *std::move(estimated);
  }
  if (node.kind == Node::Kind::null) {
    draft.log.add(node.place, fmt::format("the initial value of {} is missing", id),
                  "write a number, a formula of parameters, or {guess: 1}; or leave the line out to estimate it");
    return std::nullopt;
  }
  const auto formula =
      read_formula(draft, node, fmt::format("the initial value of {}", id), parameters_and_initial_values());
  if (!formula) return std::nullopt;
  return *formula;
}

// A state of the file that has become a formula of others by the section `mass`.
bool is_combined(const Draft& draft, const std::string& id) {
  return std::any_of(draft.combined.begin(), draft.combined.end(),
                     [&](const CombinedState& each) { return each.state == id; });
}

// The states whose known initial values a formula names by initial(state).
std::vector<std::size_t> named_states(const Draft& draft, const model::Initial& initial) {
  const auto* formula = std::get_if<NodeId>(&initial);
  std::vector<std::size_t> named;
  if (formula == nullptr) return named;
  const std::vector<NodeId> symbols = expression::symbols_of(draft.problem.graph, {formula, 1});
  for (std::size_t i = 0; i < draft.problem.states.size(); ++i)
    if (std::find(symbols.begin(), symbols.end(), draft.problem.states[i].initial) != symbols.end()) named.push_back(i);
  return named;
}

// The names along a cycle of initial values, the first one again at its end; empty if there is none.
std::vector<std::string> find_cycle(const Draft& draft, const std::vector<model::Initial>& initial) {
  const auto& states = draft.problem.states;
  const auto is_named = [](const model::State& state) { return state.initial != expression::no_node; };
  if (std::none_of(states.begin(), states.end(), is_named)) return {};
  std::vector<std::vector<std::size_t>> needs;
  for (const model::Initial& value : initial) needs.push_back(named_states(draft, value));
  enum class Visit { none, open, done };
  std::vector<Visit> visits(states.size(), Visit::none);
  std::vector<std::string> path;
  const std::function<bool(std::size_t)> closes_cycle = [&](std::size_t i) {
    path.push_back(states[i].id);
    if (visits[i] == Visit::open) return true;
    if (visits[i] == Visit::none) {
      visits[i] = Visit::open;
      for (const std::size_t next : needs[i])
        if (closes_cycle(next)) return true;
      visits[i] = Visit::done;
    }
    path.pop_back();
    return false;
  };
  for (std::size_t i = 0; i < states.size(); ++i)
    if (closes_cycle(i)) {
      path.erase(path.begin(), std::find(path.begin(), path.end(), path.back()));
      return path;
    }
  return {};
}

}  // namespace

std::vector<model::Initial> estimated_initial(const Draft& draft) {
  return std::vector<model::Initial>(draft.problem.states.size(), model::Estimated{});
}

std::vector<model::Initial> read_initial(Draft& draft, const Node& section, std::vector<model::Initial> defaults) {
  if (!is_map(draft, section, "'initial'")) return defaults;
  std::map<std::string, NodeId> given = draft.given_initial;
  for (const yaml::Entry& entry : section.entries) {
    const std::string& id = entry.key.text;
    const Name* name = draft.find(id);
    if (const model::AlgebraicEquation* equation = algebraic_equation_of(draft, id)) {
      const auto near = read_algebraic_start(draft, entry.value, *equation);
      if (near && equation->state >= 0) defaults[static_cast<std::size_t>(equation->state)] = *near;
      if (near) given[id] = *near;
      continue;
    }
    if (is_combined(draft, id)) {
      const std::string what = fmt::format("the initial value of {}", id);
      if (const auto known = read_formula(draft, entry.value, what, parameters_and_initial_values()))
        given[id] = *known;
      continue;
    }
    if (name != nullptr && name->kind == Name::Kind::field) continue;      // read_initial_fields
    if (name != nullptr && name->kind == Name::Kind::algebraic) continue;  // its equation is faulty, which is told
    if (name == nullptr || name->kind != Name::Kind::state) {
      draft.log.add(entry.key.place, fmt::format("'{}' in 'initial' is not a state", id),
                    hint_for_unknown(id, draft.names_of(Name::Kind::state)));
      continue;
    }
    if (auto value = read_initial_value(draft, entry.value, id))
      defaults[static_cast<std::size_t>(name->index)] = *std::move(value);
  }
  complete_combinations(draft, defaults, given);
  if (draft.problem.experiments.empty() && draft.given_initial.empty()) draft.given_initial = std::move(given);
  if (const auto cycle = find_cycle(draft, defaults); !cycle.empty())
    draft.log.add(section.place, fmt::format("initial values depend on each other: {}", fmt::join(cycle, " -> ")),
                  "state one of them by a number, parameters, or {guess: 1}");
  return defaults;
}

}  // namespace salvo::formats
