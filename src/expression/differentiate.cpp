#include "expression/differentiate.hpp"

#include <array>
#include <unordered_map>

#include "base/contract.hpp"
#include "expression/chain_rule.hpp"
#include "expression/reach.hpp"

namespace salvo::expression {
namespace {

using Tangents = std::unordered_map<NodeId, NodeId>;  // only those that are not identically zero

NodeId tangent_or(const Tangents& tangents, NodeId id, NodeId absent) {
  const auto place = tangents.find(id);
  return place == tangents.end() ? absent : place->second;
}

NodeId tangent_through_branches(Graph& graph, const Tangents& tangents, NodeId id) {
  const Branches branches = branches_of(graph, id);
  const NodeId zero = graph.constant(0);
  return graph.make(Op::select, branches.condition, tangent_or(tangents, branches.if_true, zero),
                    tangent_or(tangents, branches.otherwise, zero));
}

NodeId tangent_of(Graph& graph, const Tangents& tangents, NodeId id) {
  const Node node = graph[id];
  NodeId sum = graph.constant(0);
  if (!is_differentiable(node.op)) return sum;
  if (has_branches(node.op)) return tangent_through_branches(graph, tangents, id);
  for (int i = 0; i < argument_count(node.op); ++i) {
    const NodeId seed = tangent_or(tangents, node.arguments[i], no_node);
    if (seed != no_node) sum = graph.add(sum, chained(graph, id, i, seed));
  }
  return sum;
}

}  // namespace

std::vector<JacobianEntry> jacobian(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> variables) {
  return jacobian(graph, outputs, Variables(variables));
}

std::vector<JacobianEntry> jacobian(Graph& graph, std::span<const NodeId> outputs, const Variables& variables) {
  // Row by row: an output of an ODE model is made of few nodes, and each row costs only those.
  Gradients gradients(graph, outputs, variables);
  const std::array seed{graph.constant(1)};
  std::vector<JacobianEntry> entries;
  for (std::size_t row = 0; row < outputs.size(); ++row) {
    for (const auto& [column, node] : gradients.sweep(outputs.subspan(row, 1), seed)) {
      entries.push_back({static_cast<int>(row), column, node});
    }
  }
  return entries;
}

std::vector<NodeId> forward(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> variables,
                            std::span<const NodeId> directions) {
  SALVO_EXPECTS(variables.size() == directions.size());
  std::unordered_map<NodeId, NodeId> direction_of;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_new = direction_of.try_emplace(variables[i], directions[i]).second;
    SALVO_EXPECTS(is_new);
  }
  Tangents tangents;
  for (const NodeId id : reached_from(graph, outputs, [&](NodeId node) { return direction_of.contains(node); })) {
    const auto place = direction_of.find(id);
    const NodeId tangent = place != direction_of.end() ? place->second : tangent_of(graph, tangents, id);
    if (!graph.is_constant(tangent, 0)) tangents.emplace(id, tangent);
  }
  std::vector<NodeId> results;
  results.reserve(outputs.size());
  for (const NodeId output : outputs) results.push_back(tangent_or(tangents, output, graph.constant(0)));
  return results;
}

std::vector<NodeId> reverse(Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> covectors,
                            std::span<const NodeId> variables) {
  SALVO_EXPECTS(outputs.size() == covectors.size());
  std::vector<NodeId> results(variables.size(), graph.constant(0));
  const Variables by(variables);
  for (const auto& [column, node] : Gradients(graph, outputs, by).sweep(outputs, covectors)) {
    results[static_cast<std::size_t>(column)] = node;
  }
  return results;
}

}  // namespace salvo::expression
