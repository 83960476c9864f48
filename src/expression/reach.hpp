#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::expression {

// Every node that the roots are made of, the roots included, arguments first. What lies below a leaf is not visited.
// Besides a bit for each node of the graph, the cost grows with the nodes reached.
template <class IsLeaf>
std::vector<NodeId> reached_from(const Graph& graph, std::span<const NodeId> roots, const IsLeaf& is_leaf) {
  std::vector<NodeId> order;
  const auto children = [&](NodeId id) { return is_leaf(id) ? 0 : argument_count(graph[id].op); };
  if (roots.size() == 1 && children(roots[0]) == 0) return {roots[0]};  // asked ten thousand times for weights
  std::vector<bool> seen(static_cast<std::size_t>(graph.size()), false);
  const auto visit = [&](NodeId id) {
    if (!seen[static_cast<std::size_t>(id)]) order.push_back(id);
    seen[static_cast<std::size_t>(id)] = true;
  };
  for (const NodeId root : roots) visit(root);
  for (std::size_t next = 0; next < order.size(); ++next) {
    const NodeId id = order[next];
    for (int i = 0, count = children(id); i < count; ++i) visit(graph[id].arguments[i]);
  }
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace salvo::expression
