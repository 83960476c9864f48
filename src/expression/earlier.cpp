#include "expression/earlier.hpp"

#include <unordered_set>

#include "expression/reach.hpp"

namespace salvo::expression {
namespace {

// The argument and what it is made of, as far as it contains the time.
std::unordered_set<NodeId> with_time(const Graph& graph, NodeId argument, NodeId time) {
  std::unordered_set<NodeId> known;
  for (const NodeId id : reached_from(graph, {&argument, 1}, [](NodeId) { return false; })) {
    bool has_time = id == time;
    for (int i = 0; i < argument_count(graph[id].op); ++i) has_time |= known.contains(graph[id].arguments[i]);
    if (has_time) known.insert(id);
  }
  return known;
}

}  // namespace

NodeId time_before(Graph& graph, NodeId argument, NodeId time) {
  const std::unordered_set<NodeId> has_time = with_time(graph, argument, time);
  if (!has_time.contains(argument)) return no_node;
  NodeId before = graph.constant(0);  // argument = rest - before
  NodeId rest = argument;
  while (rest != time) {
    const Node node = graph[rest];
    const auto [a, b, unused] = node.arguments;
    if (node.op == Op::subtract && has_time.contains(a)) {
      before = graph.add(before, b);
      rest = a;
    } else if (node.op == Op::add) {
      before = graph.subtract(before, has_time.contains(a) ? b : a);
      rest = has_time.contains(a) ? a : b;
    } else {
      return graph.add(before, graph.subtract(time, rest));
    }
  }
  return before;
}

}  // namespace salvo::expression
