#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace salvo::expression {

// Truth values are the numbers 0 and 1; any other number that is not zero counts as true.
enum class Op : std::uint8_t {
  constant,
  symbol,
  // two arguments
  add,
  subtract,
  multiply,
  divide,
  power,
  minimum,
  maximum,
  less,
  less_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  // one argument
  negate,
  logical_not,
  exp,
  log,
  log2,
  log10,
  sqrt,
  abs,
  sign,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  // three arguments: condition, value if true, value otherwise
  select,
  // two arguments: the value that a formula had before, and how long before
  delay,
  // operations on fields, which numbers alone do not tell (field_operators.hpp)
  derivative_x,  // one argument
  derivative_y,
  second_derivative_x,
  second_derivative_y,
  divergence,
  gradient,
  integral,  // two arguments: of what, and over what: a coordinate, or a stretch of it
  mean,
  at,       // of what, and where: a position, or two of them as a `pair`
  pair,     // two positions
  stretch,  // three arguments: coordinate, from, to
};

using NodeId = std::int32_t;
inline constexpr NodeId no_node = -1;

struct Node {
  Op op = Op::constant;
  std::array<NodeId, 3> arguments{no_node, no_node, no_node};
  double value = 0;  // of a constant
};

int argument_count(Op op);
bool is_truth_value(Op op);  // its result is true or false

// What one operation does to numbers; the tape and constant folding both use it.
double apply(Op op, double a, double b = 0, double c = 0);

// All formulas of a model as one list of nodes in which equal nodes exist once. Arguments come before the nodes that
// use them, so a pass over the list in order (or against it) visits every node after (or before) its arguments, and
// no algorithm needs recursion.
class Graph {
 public:
  NodeId constant(double value);
  NodeId symbol(std::string_view name);  // the same name is the same node
  // The node for this operation, simplified. Simplification never changes a value for finite arguments: neither a
  // pole nor a NaN is cancelled away.
  NodeId make(Op op, NodeId a, NodeId b = no_node, NodeId c = no_node);

  NodeId add(NodeId a, NodeId b) { return make(Op::add, a, b); }
  NodeId subtract(NodeId a, NodeId b) { return make(Op::subtract, a, b); }
  NodeId multiply(NodeId a, NodeId b) { return make(Op::multiply, a, b); }
  NodeId divide(NodeId a, NodeId b) { return make(Op::divide, a, b); }
  NodeId negate(NodeId a) { return make(Op::negate, a); }

  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  int size() const { return static_cast<int>(nodes_.size()); }

  bool is_constant(NodeId id) const { return (*this)[id].op == Op::constant; }
  bool is_constant(NodeId id, double value) const { return is_constant(id) && (*this)[id].value == value; }
  bool is_symbol(NodeId id) const { return (*this)[id].op == Op::symbol; }
  const std::string& symbol_name(NodeId id) const;
  std::optional<NodeId> find_symbol(std::string_view name) const;

 private:
  struct NodeHash {
    std::size_t operator()(const Node& node) const;
  };
  struct NodeSame {
    bool operator()(const Node& a, const Node& b) const;  // by bits: 0 and -0 differ, a NaN equals itself
  };
  NodeId intern(const Node& node);

  std::vector<Node> nodes_;
  std::unordered_map<Node, NodeId, NodeHash, NodeSame> known_;
  std::vector<std::string> symbol_names_;  // by arguments[0] of a symbol node
  std::unordered_map<std::string, NodeId> symbol_nodes_;
};

// Replaces symbols (or any nodes) by other nodes: `from[i]` becomes `to[i]`. Who asks for one formula after the other
// keeps the table, so that each costs its own nodes and not the length of the table.
class Substitution {
 public:
  Substitution(Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to);

  std::vector<NodeId> operator()(std::span<const NodeId> roots);

 private:
  Graph& graph_;
  std::unordered_map<NodeId, NodeId> replacement_;  // of all nodes that were met so far
};
// The same for one table and one list of roots.
std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots, std::span<const NodeId> from,
                               std::span<const NodeId> to);

// The symbols that the roots depend on, in the order of their nodes.
std::vector<NodeId> symbols_of(const Graph& graph, std::span<const NodeId> roots);

}  // namespace salvo::expression
