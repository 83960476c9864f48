#include "expression/affine.hpp"

#include <cmath>
#include <unordered_map>
#include <utility>

#include "expression/reach.hpp"

namespace salvo::expression {
namespace {

// The parts of every node that knows z; others are free of it.
class Parts {
 public:
  Parts(Graph& graph, NodeId z) : graph_(graph) { of_.emplace(z, Affine{graph.constant(1), graph.constant(0)}); }

  bool knows(NodeId id) const { return of_.contains(id); }
  const Affine& operator[](NodeId id) const { return of_.at(id); }

  // False if the node is not affine. Its arguments have been added.
  bool add(NodeId id) {
    const Node node = graph_[id];
    const auto [a, b, c] = node.arguments;
    const int count = argument_count(node.op);
    const bool in_a = count > 0 && knows(a);
    const bool in_b = count > 1 && knows(b);
    const bool in_c = count > 2 && knows(c);
    if (!in_a && !in_b && !in_c) return true;
    switch (node.op) {
      case Op::add:
      case Op::subtract: return set(id, by_part(node.op, a, b));
      case Op::negate: return set(id, {graph_.negate(of_[a].coefficient), graph_.negate(of_[a].rest)});
      case Op::multiply: return !(in_a && in_b) && set(id, scaled(Op::multiply, in_a ? a : b, in_a ? b : a));
      case Op::divide: return !in_b && set(id, scaled(Op::divide, a, b));
      case Op::select: return !in_a && set(id, branches(a, b, c));
      default: return false;
    }
  }

 private:
  bool set(NodeId id, Affine parts) {
    of_.emplace(id, parts);
    return true;
  }
  Affine parts_of(NodeId id) {
    const auto found = of_.find(id);
    return found != of_.end() ? found->second : Affine{graph_.constant(0), id};
  }
  Affine by_part(Op op, NodeId a, NodeId b) {
    const Affine left = parts_of(a);
    const Affine right = parts_of(b);
    return {graph_.make(op, left.coefficient, right.coefficient), graph_.make(op, left.rest, right.rest)};
  }
  Affine scaled(Op op, NodeId of, NodeId by) {
    const Affine parts = of_.at(of);
    const bool has_rest = !graph_.is_constant(parts.rest, 0);  // 0 times a formula would stay
    return {graph_.make(op, parts.coefficient, by), has_rest ? graph_.make(op, parts.rest, by) : parts.rest};
  }
  Affine branches(NodeId condition, NodeId if_true, NodeId otherwise) {
    const Affine yes = parts_of(if_true);
    const Affine no = parts_of(otherwise);
    return {graph_.make(Op::select, condition, yes.coefficient, no.coefficient),
            graph_.make(Op::select, condition, yes.rest, no.rest)};
  }

  Graph& graph_;
  std::unordered_map<NodeId, Affine> of_;
};

}  // namespace

std::optional<Affine> affine_in(Graph& graph, NodeId node, NodeId z) {
  Parts parts(graph, z);
  for (const NodeId id : reached_from(graph, {&node, 1}, [&](NodeId each) { return each == z; }))
    if (id != z && !parts.add(id)) return std::nullopt;
  if (!parts.knows(node)) return Affine{graph.constant(0), node};
  return parts[node];
}

namespace {

constexpr int points = 4;
constexpr double rounding = 1e-11;

// A number between 1/2 and 3/2 for a symbol, another one at each point.
double value_at(int point, NodeId symbol) {
  const double turned = 0.6180339887498949 * (symbol + 1) + 0.4142135623730951 * (point + 1);
  return 0.5 + (turned - std::floor(turned));
}

// What was before is a number of its own.
bool is_free(Op op) { return op == Op::symbol || op == Op::delay; }

}  // namespace

bool is_zero_everywhere(const Graph& graph, NodeId node) {
  const std::vector<NodeId> order = reached_from(graph, {&node, 1}, [](NodeId) { return false; });
  for (int point = 0; point < points; ++point) {
    std::unordered_map<NodeId, std::pair<double, double>> at;  // value, and the size of what it was made of
    for (const NodeId id : order) {
      const Node& of = graph[id];
      const auto argument = [&](int i) {
        return i < argument_count(of.op) ? at[of.arguments[i]] : std::pair(0.0, 0.0);
      };
      const auto [a, size_a] = argument(0);
      const auto [b, size_b] = argument(1);
      const auto [c, size_c] = argument(2);
      const double value = of.op == Op::constant ? of.value
                           : is_free(of.op)      ? value_at(point, id)
                                                 : apply(of.op, a, b, c);
      const bool is_sum = of.op == Op::add || of.op == Op::subtract;
      at[id] = {value, is_sum ? size_a + size_b : of.op == Op::negate ? size_a : std::abs(value)};
    }
    const auto [value, size] = at[node];
    if (!(std::abs(value) <= rounding * size)) return false;
  }
  return true;
}

}  // namespace salvo::expression
