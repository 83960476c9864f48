#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::expression {

// Every node that the roots are made of, the roots included, arguments first. What lies below a leaf is not visited.
// The cost grows with the nodes reached and not with the graph: a hundred thousand events ask for a few nodes each.
template <class IsLeaf>
std::vector<NodeId> reached_from(const Graph& graph, std::span<const NodeId> roots, const IsLeaf& is_leaf) {
  const auto children = [&](NodeId id) { return is_leaf(id) ? 0 : argument_count(graph[id].op); };
  if (roots.size() == 1 && children(roots[0]) == 0) return {roots[0]};  // asked ten thousand times for weights
  // Those who use a node come after it in the graph, so that the last of those that wait is wanted by nobody else.
  std::vector<NodeId> waiting(roots.begin(), roots.end());
  std::make_heap(waiting.begin(), waiting.end());
  std::vector<NodeId> order;
  while (!waiting.empty()) {
    std::pop_heap(waiting.begin(), waiting.end());
    const NodeId id = waiting.back();
    waiting.pop_back();
    if (!order.empty() && order.back() == id) continue;
    order.push_back(id);
    for (int i = 0, count = children(id); i < count; ++i) {
      waiting.push_back(graph[id].arguments[i]);
      std::push_heap(waiting.begin(), waiting.end());
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace salvo::expression
