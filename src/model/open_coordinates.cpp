#include <unordered_map>

#include "expression/field_operators.hpp"
#include "expression/reach.hpp"
#include "model/problem.hpp"

namespace salvo::model {

using expression::Op;

unsigned open_coordinates(const Problem& problem, NodeId formula) {
  if (problem.space.empty()) return 0;
  const expression::Graph& graph = problem.graph;
  std::unordered_map<NodeId, unsigned> own;
  for (std::size_t i = 0; i < problem.space.size(); ++i) own[problem.space[i].symbol] = 1U << i;
  const std::unordered_map<NodeId, unsigned> coordinates = own;
  for (const Field& field : problem.fields) own[field.symbol] = (1U << problem.space.size()) - 1;
  std::unordered_map<NodeId, unsigned> open;
  for (const NodeId id : expression::reached_from(graph, {&formula, 1}, [](NodeId) { return false; })) {
    const expression::Node& node = graph[id];
    unsigned bits = 0;
    if (const auto found = own.find(id); found != own.end()) bits = found->second;
    for (int i = 0; i < expression::argument_count(node.op); ++i) bits |= open[node.arguments[i]];
    if (node.op == Op::at) bits = 0;
    if (node.op == Op::integral || node.op == Op::mean) {
      const NodeId over = node.arguments[1];
      const NodeId coordinate = graph[over].op == Op::stretch ? graph[over].arguments[0] : over;
      const auto found = coordinates.find(coordinate);
      bits = open[node.arguments[0]] & ~(found == coordinates.end() ? 0U : found->second);
    }
    open[id] = bits;
  }
  return open[formula];
}

}  // namespace salvo::model
