#include "compile/lower.hpp"

#include <cmath>
#include <optional>

#include "expression/reach.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::Node;
using expression::NodeId;
using expression::Op;

namespace {

constexpr double largest_product = 8;  // beyond it the rounding of repeated products exceeds that of pow

NodeId integer_power(Graph& graph, NodeId base, int exponent) {
  if (exponent == 1) return base;
  const NodeId half = integer_power(graph, base, exponent / 2);
  const NodeId even = graph.multiply(half, half);
  return exponent % 2 == 0 ? even : graph.multiply(even, base);
}

std::optional<NodeId> as_products(Graph& graph, NodeId base, double exponent) {
  if (exponent == 0.5) return graph.make(Op::sqrt, base);
  if (std::abs(exponent) > largest_product || exponent != std::floor(exponent) || exponent == 0) return std::nullopt;
  const NodeId power = integer_power(graph, base, static_cast<int>(std::abs(exponent)));
  return exponent > 0 ? power : graph.divide(graph.constant(1), power);
}

}  // namespace

std::vector<NodeId> lower_powers(Graph& graph, std::span<const NodeId> roots) {
  std::vector<NodeId> from;
  std::vector<NodeId> to;
  for (const NodeId id : expression::reached_from(graph, roots, [](NodeId) { return false; })) {
    const Node node = graph[id];
    if (node.op != Op::power || !graph.is_constant(node.arguments[1])) continue;
    if (const auto products = as_products(graph, node.arguments[0], graph[node.arguments[1]].value)) {
      from.push_back(id);
      to.push_back(*products);
    }
  }
  // A base may hold further powers: the replacements are rewritten too, until nothing is left to replace.
  std::vector<NodeId> result(roots.begin(), roots.end());
  if (from.empty()) return result;
  for (std::vector<NodeId> next = expression::substitute(graph, result, from, to); next != result;
       next = expression::substitute(graph, result, from, to))
    result = next;
  return result;
}

}  // namespace salvo::compile
