#include "formats/sbml/delays.hpp"

#include <algorithm>

#include "expression/reach.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::no_node;
using expression::Op;

std::vector<NodeId> formulas_of(const model::Problem& problem) {
  std::vector<NodeId> all;
  for (const model::State& state : problem.states) all.push_back(state.derivative);
  for (const model::Definition& definition : problem.definitions) all.push_back(definition.formula);
  for (const model::Event& event : problem.events) {
    if (const auto* when = std::get_if<model::When>(&event.trigger)) all.push_back(when->condition);
    for (const model::Assignment& assignment : event.assignments) all.push_back(assignment.value);
  }
  return all;
}

bool has_delay(const expression::Graph& graph, NodeId formula) {
  const auto nodes = expression::reached_from(graph, {&formula, 1}, [](NodeId) { return false; });
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].op == Op::delay; });
}

}  // namespace

bool uses_delays(const expression::Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id)
    if (graph[id].op == Op::delay) return true;
  return false;
}

bool has_changing_past(const Model& model, const Quantity& quantity) {
  const expression::Graph& graph = model.graph;
  if (quantity.initial_assignment == no_node) return false;
  const std::vector<NodeId> of = expression::symbols_of(graph, {&quantity.initial_assignment, 1});
  if (!std::binary_search(of.begin(), of.end(), model.time)) return false;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph[id].op != Op::delay) continue;
    const std::vector<NodeId> seen = expression::symbols_of(graph, {&graph[id].arguments[0], 1});
    if (std::binary_search(seen.begin(), seen.end(), quantity.symbol)) return true;
  }
  return false;
}

std::string refused_delay(const Model& model, const model::Problem& problem) {
  const expression::Graph& graph = model.graph;
  std::vector<NodeId> changing{problem.time};
  for (const model::State& state : problem.states) changing.push_back(state.symbol);
  std::sort(changing.begin(), changing.end());
  for (const NodeId id : expression::reached_from(graph, formulas_of(problem), [](NodeId) { return false; })) {
    if (graph[id].op != Op::delay) continue;
    const NodeId by = graph[id].arguments[1];
    for (const NodeId symbol : expression::symbols_of(graph, {&by, 1}))
      if (std::binary_search(changing.begin(), changing.end(), symbol)) return "delay() by what changes";
    if (graph.is_constant(by) && !(graph[by].value > 0)) return "delay() by less than 0";
  }
  const bool has_roots = std::any_of(problem.states.begin(), problem.states.end(),
                                     [](const model::State& state) { return state.is_algebraic; });
  if (has_roots && uses_delays(graph)) return "delay() beside an algebraic rule that no formula solves";
  for (const model::Experiment& experiment : problem.experiments)
    for (const model::Initial& initial : experiment.initial)
      if (const auto* known = std::get_if<NodeId>(&initial); known != nullptr && has_delay(graph, *known))
        return "delay() in an initial value";
  return {};
}

}  // namespace salvo::formats::sbml
