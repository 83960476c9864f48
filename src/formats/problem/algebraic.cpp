#include "formats/problem/algebraic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/problem/formula.hpp"
#include "formats/problem/values.hpp"
#include "model/algebraic.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

model::AlgebraicSystem read_system(Draft& draft, const Node& section) {
  model::AlgebraicSystem system;
  for (const yaml::Entry& entry : section.entries) {
    const Name* name = draft.find(entry.key.text);
    if (name == nullptr || name->kind != Name::Kind::algebraic) continue;  // told as a name that is there twice
    const std::string what = fmt::format("the algebraic equation of {}", entry.key.text);
    const auto g = read_formula(draft, entry.value, what, everything_and_the_past());
    if (!g) continue;
    const int own = static_cast<int>(system.variables.size());
    system.variables.push_back({entry.key.text, draft.problem.graph.symbol(entry.key.text)});
    system.equations.push_back({.g = *g, .text = entry.value.text, .own = own});
  }
  // Rows of `mass` without derivatives; each is meant for a state of its own.
  for (const ZeroRow& row : draft.zero_rows) {
    system.equations.push_back(
        {.g = row.g, .text = row.text, .own = static_cast<int>(system.variables.size()), .row = row.row});
    system.variables.push_back({row.variable, draft.problem.graph.symbol(row.variable)});
  }
  expression::Graph& graph = draft.problem.graph;
  for (const CombinedState& each : draft.combined) {
    NodeId combination = graph.symbol(each.state);
    for (const auto& [other, factor] : each.others)
      combination = graph.add(combination, graph.multiply(factor, graph.symbol(other)));
    system.unwritten.insert(system.unwritten.end(), {each.value, each.symbol});
    system.written.insert(system.written.end(), {graph.symbol(each.state), combination});
  }
  return system;
}

const yaml::Entry& entry_of(const Node& section, const std::string& id) {
  return *std::find_if(section.entries.begin(), section.entries.end(),
                       [&](const yaml::Entry& entry) { return entry.key.text == id; });
}

void tell(Draft& draft, const Node& section, const model::AlgebraicSystem& system,
          const model::AlgebraicTrouble& trouble) {
  const int own = trouble.equation >= 0 ? system.equations[static_cast<std::size_t>(trouble.equation)].own : -1;
  const std::string& id = system.variables[static_cast<std::size_t>(own >= 0 ? own : trouble.variable)].id;
  const auto row = std::find_if(draft.zero_rows.begin(), draft.zero_rows.end(),
                                [&](const ZeroRow& each) { return each.variable == id; });
  const auto of_section = [&] {
    const yaml::Entry& entry = entry_of(section, id);
    return trouble.equation >= 0 ? entry.value.place : entry.key.place;
  };
  const Place place = row != draft.zero_rows.end() ? row->place : of_section();
  draft.log.add({.kind = trouble.kind,
                 .file = draft.file.name,
                 .line = place.line,
                 .column = place.column,
                 .message = trouble.message,
                 .hint = trouble.hint});
}

// What was read with the variables as mere names takes their formulas.
void put_in(Draft& draft, const std::vector<NodeId>& symbols, const std::vector<NodeId>& values) {
  expression::Substitution put(draft.problem.graph, symbols, values);
  const auto replace = [&](NodeId& node) {
    if (node != expression::no_node) node = put({&node, 1}).front();
  };
  for (Definition& definition : draft.definitions) {
    replace(definition.node);
    if (definition.node != expression::no_node) note_what_it_uses(draft, definition);
  }
  for (model::State& state : draft.problem.states) replace(state.derivative);
}

void become_definition(Draft& draft, const std::string& id, NodeId value) {
  Definition definition{.id = id, .node = value};
  note_what_it_uses(draft, definition);
  Name& name = draft.names.find(id)->second;
  name.kind = Name::Kind::definition;
  name.index = static_cast<int>(draft.definitions.size());
  draft.definitions.push_back(std::move(definition));
}

void become_state(Draft& draft, const std::string& id, NodeId symbol, NodeId g) {
  Name& name = draft.names.find(id)->second;
  name.kind = Name::Kind::state;
  name.index = static_cast<int>(draft.problem.states.size());
  draft.problem.states.push_back({.id = id, .symbol = symbol, .derivative = g, .is_algebraic = true});
}

}  // namespace

void read_algebraic(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'algebraic'")) return;
  const model::AlgebraicSystem system = read_system(draft, section);
  if (!draft.log.empty()) return;
  const model::AlgebraicSolution solution =
      model::solve_algebraic(draft.problem.graph, system, draft.problem.states, draft.problem.time);
  for (const model::AlgebraicTrouble& trouble : solution.troubles) tell(draft, section, system, trouble);
  if (!solution.troubles.empty()) {
    draft.all_names_known = false;  // what cannot be solved is no news in other formulas
    return;
  }
  std::vector<NodeId> symbols;
  std::vector<NodeId> values;
  for (const model::AlgebraicVariable& found : solution.found)
    if (found.value != expression::no_node) {
      symbols.push_back(system.variables[static_cast<std::size_t>(found.variable)].symbol);
      values.push_back(found.value);
    }
  put_in(draft, symbols, values);
  for (const model::AlgebraicVariable& found : solution.found) {
    const auto& [id, symbol] = system.variables[static_cast<std::size_t>(found.variable)];
    model::AlgebraicEquation equation{.variable = id,
                                      .text = system.equations[static_cast<std::size_t>(found.equation)].text,
                                      .divisor = found.divisor};
    if (found.value != expression::no_node) {
      become_definition(draft, id, found.value);
    } else {
      equation.state = static_cast<int>(draft.problem.states.size());
      become_state(draft, id, symbol, found.g);
    }
    draft.problem.algebraic.push_back(std::move(equation));
  }
}

const model::AlgebraicEquation* algebraic_equation_of(const Draft& draft, const std::string& id) {
  const auto found = std::find_if(draft.problem.algebraic.begin(), draft.problem.algebraic.end(),
                                  [&](const model::AlgebraicEquation& each) { return each.variable == id; });
  return found == draft.problem.algebraic.end() ? nullptr : &*found;
}

std::optional<NodeId> read_algebraic_start(Draft& draft, const Node& node, const model::AlgebraicEquation& equation) {
  const std::string what = fmt::format("where to look for {} at the start", equation.variable);
  const Node* near = node.kind == Node::Kind::map ? node.find("near") : &node;
  if (near == nullptr || (node.kind == Node::Kind::map && node.entries.size() > 1)) {
    const auto differential = std::find_if(draft.problem.states.begin(), draft.problem.states.end(),
                                           [](const model::State& state) { return !state.is_algebraic; });
    draft.log.add(
        node.place,
        fmt::format("the initial value of {} follows from 0 = {}; it cannot be estimated", equation.variable,
                    equation.text),
        differential == draft.problem.states.end()
            ? "write {near: 1}, or leave the line out"
            : fmt::format("estimate that of a state, {}: {{guess: ...}}; here, {{near: 1}} says which root is meant",
                          differential->id));
    return std::nullopt;
  }
  const auto start = read_formula(draft, *near, what, parameters_and_initial_values());
  if (!start) return std::nullopt;
  if (equation.state < 0 && node.kind != Node::Kind::map)
    draft.warn(node.place,
               fmt::format("{} follows from 0 = {} at all times; the initial value {} is not used", equation.variable,
                           equation.text, node.text),
               "leave the line out");
  return start;
}

void complete_algebraic_starts(Draft& draft) {
  model::Problem& problem = draft.problem;
  for (std::size_t e = 0; e < problem.experiments.size(); ++e)
    for (std::size_t i = 0; i < problem.experiments[e].initial.size(); ++i) {
      model::Initial& initial = problem.experiments[e].initial[i];
      if (!problem.states[i].is_algebraic || std::holds_alternative<NodeId>(initial)) continue;
      double first = std::numeric_limits<double>::infinity();
      double near = 1;
      for (const model::Measurement& each : problem.measurements) {
        const bool shows_it =
            problem.observables[static_cast<std::size_t>(each.observable)].formula == problem.states[i].symbol;
        if (!shows_it || each.experiment != static_cast<int>(e) || each.time >= first) continue;
        first = each.time;
        near = each.value;
      }
      initial = problem.graph.constant(near);
    }
}

}  // namespace salvo::formats
