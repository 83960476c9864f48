#include "expression/chain_rule.hpp"

#include <cmath>
#include <numbers>

#include "base/contract.hpp"
#include "expression/field_operators.hpp"

namespace salvo::expression {
namespace {

NodeId square(Graph& graph, NodeId a) { return graph.multiply(a, a); }

NodeId one_plus_square(Graph& graph, NodeId a) { return graph.add(graph.constant(1), square(graph, a)); }

NodeId one_minus_square(Graph& graph, NodeId a) { return graph.subtract(graph.constant(1), square(graph, a)); }

NodeId root(Graph& graph, NodeId a) { return graph.make(Op::sqrt, a); }

// d a^n / da = n a^(n-1); written without a division by a, it is right at a = 0. For n < 1 it has a pole there, which
// second derivatives of a^1.3 or of a^n with n = 1 meet at a state that starts from zero: they take 0, the slope along
// all directions in which the state stays zero.
NodeId slope_in_base(Graph& graph, NodeId a, NodeId n) {
  const NodeId one = graph.constant(1);
  const NodeId slope = graph.multiply(n, graph.make(Op::power, a, graph.subtract(n, one)));
  const double value = graph[n].value;
  if (graph.is_constant(n) && (value >= 1 || value == std::floor(value))) return slope;
  const NodeId zero = graph.constant(0);
  const NodeId at_pole = graph.make(Op::logical_and, graph.make(Op::equal, a, zero), graph.make(Op::less, n, one));
  return graph.make(Op::select, at_pole, zero, slope);
}

// d a^n / dn = a^n ln a, with the limit 0 at a = 0 (for n > 0) where ln a has a pole.
NodeId slope_in_exponent(Graph& graph, NodeId node, NodeId a) {
  const NodeId zero = graph.constant(0);
  const NodeId elsewhere = graph.multiply(node, graph.make(Op::log, a));
  return graph.make(Op::select, graph.make(Op::equal, a, zero), zero, elsewhere);
}

NodeId chained_binary(Graph& graph, NodeId id, int argument, NodeId seed) {
  const Node node = graph[id];
  const auto [a, b, unused] = node.arguments;
  switch (node.op) {
    case Op::add: return seed;
    case Op::subtract: return argument == 0 ? seed : graph.negate(seed);
    case Op::multiply: return graph.multiply(seed, argument == 0 ? b : a);
    case Op::divide:
      return argument == 0 ? graph.divide(seed, b) : graph.negate(graph.divide(graph.multiply(seed, id), b));
    default:
      SALVO_EXPECTS(node.op == Op::power);
      return graph.multiply(seed, argument == 0 ? slope_in_base(graph, a, b) : slope_in_exponent(graph, id, a));
  }
}

NodeId chained_unary(Graph& graph, NodeId id, NodeId seed) {
  const Node node = graph[id];
  const NodeId a = node.arguments[0];
  const auto times = [&](NodeId factor) { return graph.multiply(seed, factor); };
  const auto times_op = [&](Op op) { return times(graph.make(op, a)); };
  const auto over = [&](NodeId divisor) { return graph.divide(seed, divisor); };
  const auto scaled = [&](double factor) { return graph.multiply(graph.constant(factor), a); };
  switch (node.op) {
    case Op::negate: return graph.negate(seed);
    case Op::exp: return times(id);
    case Op::log: return over(a);
    case Op::log2: return over(scaled(std::numbers::ln2));
    case Op::log10: return over(scaled(std::numbers::ln10));
    case Op::sqrt: return graph.divide(graph.multiply(graph.constant(0.5), seed), id);
    case Op::abs: return times_op(Op::sign);
    case Op::sin: return times_op(Op::cos);
    case Op::cos: return graph.negate(times_op(Op::sin));
    case Op::tan: return times(one_plus_square(graph, id));
    case Op::asin: return over(root(graph, one_minus_square(graph, a)));
    case Op::acos: return graph.negate(over(root(graph, one_minus_square(graph, a))));
    case Op::atan: return over(one_plus_square(graph, a));
    case Op::sinh: return times_op(Op::cosh);
    case Op::cosh: return times_op(Op::sinh);
    case Op::tanh: return times(one_minus_square(graph, id));
    case Op::asinh: return over(root(graph, one_plus_square(graph, a)));
    case Op::acosh: {
      const NodeId one = graph.constant(1);
      return over(graph.multiply(root(graph, graph.subtract(a, one)), root(graph, graph.add(a, one))));
    }
    default: SALVO_EXPECTS(node.op == Op::atanh); return over(one_minus_square(graph, a));
  }
}

}  // namespace

bool has_branches(Op op) { return op == Op::select || op == Op::minimum || op == Op::maximum; }

Branches branches_of(Graph& graph, NodeId id) {
  const Node node = graph[id];
  const auto [a, b, c] = node.arguments;
  if (node.op == Op::select) return {a, b, c};
  if (node.op == Op::minimum) return {graph.make(Op::less, a, b), a, b};
  SALVO_EXPECTS(node.op == Op::maximum);
  return {graph.make(Op::less, b, a), a, b};
}

bool is_differentiable(Op op) {
  SALVO_EXPECTS(!is_field_operator(op));
  if (is_truth_value(op)) return false;
  switch (op) {
    case Op::constant:
    case Op::symbol:
    case Op::sign: return false;
    default: return true;
  }
}

NodeId chained(Graph& graph, NodeId node, int argument, NodeId seed) {
  return argument_count(graph[node].op) == 2 ? chained_binary(graph, node, argument, seed)
                                             : chained_unary(graph, node, seed);
}

}  // namespace salvo::expression
