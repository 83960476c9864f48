#pragma once

#include <algorithm>
#include <span>
#include <unordered_set>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::expression {

// Every node that the roots are made of, the roots included, arguments first. What lies below a leaf is not visited.
// The cost grows with the nodes reached, not with the graph.
template <class IsLeaf>
std::vector<NodeId> reached_from(const Graph& graph, std::span<const NodeId> roots, const IsLeaf& is_leaf) {
  std::unordered_set<NodeId> seen(roots.begin(), roots.end());
  std::vector<NodeId> order(seen.begin(), seen.end());
  for (std::size_t next = 0; next < order.size(); ++next) {
    if (is_leaf(order[next])) continue;
    const Node& node = graph[order[next]];
    for (int i = 0; i < argument_count(node.op); ++i) {
      if (seen.insert(node.arguments[i]).second) order.push_back(node.arguments[i]);
    }
  }
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace salvo::expression
