#include "expression/simplify.hpp"

#include "expression/field_operators.hpp"

namespace salvo::expression {
namespace {

bool is_all_constant(const Graph& graph, Op op, const std::array<NodeId, 3>& arguments) {
  for (int i = 0; i < argument_count(op); ++i) {
    if (!graph.is_constant(arguments[i])) return false;
  }
  return true;
}

double value_of(const Graph& graph, NodeId id) { return id == no_node ? 0 : graph[id].value; }

// y where the node is -y, written as a negation or as a negative number; otherwise no_node.
NodeId negated(Graph& graph, NodeId id) {
  const Node node = graph[id];
  if (node.op == Op::negate) return node.arguments[0];
  return node.op == Op::constant && node.value < 0 ? graph.constant(-node.value) : no_node;
}

NodeId simplified_sum(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(a, 0)) return b;
  if (graph.is_constant(b, 0)) return a;
  if (const NodeId y = negated(graph, b); y != no_node) return graph.subtract(a, y);
  if (const NodeId y = negated(graph, a); y != no_node) return graph.subtract(b, y);
  return no_node;
}

NodeId simplified_difference(Graph& graph, NodeId a, NodeId b) {
  if (graph.is_constant(b, 0)) return a;
  if (graph.is_constant(a, 0)) return graph.negate(b);
  if (const NodeId y = negated(graph, b); y != no_node) return graph.add(a, y);
  return no_node;
}

// One factor is the number `factor`. Zero wins only over a symbol: a compound node may be infinite.
NodeId scaled(Graph& graph, NodeId factor, NodeId other) {
  if (graph.is_constant(factor, 1)) return other;
  if (graph.is_constant(factor, -1)) return graph.negate(other);
  if (graph.is_constant(factor, 0) && graph.is_symbol(other)) return graph.constant(0);
  return no_node;
}

NodeId simplified_product(Graph& graph, NodeId a, NodeId b) {
  const NodeId result = scaled(graph, a, b);
  return result != no_node ? result : scaled(graph, b, a);
}

NodeId simplified_power(Graph& graph, NodeId base, NodeId exponent) {
  if (graph.is_constant(exponent, 0)) return graph.constant(1);  // pow gives 1 for every base, NaN included
  return graph.is_constant(exponent, 1) ? base : no_node;
}

NodeId simplified_select(const Graph& graph, NodeId condition, NodeId if_true, NodeId otherwise) {
  if (if_true == otherwise) return if_true;
  if (!graph.is_constant(condition)) return no_node;
  return graph.is_constant(condition, 0) ? otherwise : if_true;
}

}  // namespace

NodeId simplified(Graph& graph, Op op, NodeId a, NodeId b, NodeId c) {
  if (is_field_operator(op)) return no_node;  // what they are is known where there are cells
  if (is_all_constant(graph, op, {a, b, c})) {
    return graph.constant(apply(op, value_of(graph, a), value_of(graph, b), value_of(graph, c)));
  }
  switch (op) {
    case Op::add: return simplified_sum(graph, a, b);
    case Op::subtract: return simplified_difference(graph, a, b);
    case Op::multiply: return simplified_product(graph, a, b);
    case Op::divide: return graph.is_constant(b, 1) ? a : no_node;
    case Op::power: return simplified_power(graph, a, b);
    case Op::negate: return graph[a].op == Op::negate ? graph[a].arguments[0] : no_node;
    case Op::select: return simplified_select(graph, a, b, c);
    case Op::delay: return graph.is_constant(a) ? a : no_node;
    default: return no_node;
  }
}

}  // namespace salvo::expression
