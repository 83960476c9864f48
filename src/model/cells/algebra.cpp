#include "model/cells/algebra.hpp"

#include <algorithm>

#include "expression/differentiate.hpp"
#include "expression/field_operators.hpp"
#include "expression/reach.hpp"

namespace salvo::model::cells {

NodeId Algebra::put(NodeId formula, std::span<const NodeId> from, std::span<const NodeId> to) const {
  return expression::substitute(graph, {&formula, 1}, from, to).front();
}

NodeId Algebra::slope(NodeId formula, NodeId variable) const {
  const auto entries = expression::jacobian(graph, {&formula, 1}, std::span(&variable, 1));
  return entries.empty() ? number(0) : entries.front().node;
}

bool Algebra::speaks_of(NodeId formula, NodeId symbol) const {
  const std::vector<NodeId> symbols = expression::symbols_of(graph, {&formula, 1});
  return std::binary_search(symbols.begin(), symbols.end(), symbol);
}

std::vector<NodeId> Algebra::outermost_operations(NodeId formula) const {
  const auto is_operation = [&](NodeId id) { return expression::is_field_operator(graph[id].op); };
  std::vector<NodeId> found;
  for (const NodeId id : expression::reached_from(graph, {&formula, 1}, is_operation))
    if (is_operation(id)) found.push_back(id);
  return found;
}

}  // namespace salvo::model::cells
