#include "expression/formula_tools.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "expression/reach.hpp"

namespace salvo::expression {
namespace {

using Complex = std::complex<double>;

Complex apply_complex(Op op, Complex a, Complex b, Complex c) {
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return std::pow(a, b);
    case Op::minimum: return a.real() < b.real() ? a : b;
    case Op::maximum: return b.real() < a.real() ? a : b;
    case Op::negate: return -a;
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::log2: return std::log(a) / std::numbers::ln2;
    case Op::log10: return std::log(a) / std::numbers::ln10;
    case Op::sqrt: return std::sqrt(a);
    case Op::abs: return a.real() < 0 ? -a : a;
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::asinh: return std::asinh(a);
    case Op::acosh: return std::acosh(a);
    case Op::atanh: return std::atanh(a);
    case Op::select: return a.real() != 0 ? b : c;
    default: return apply(op, a.real(), b.real(), c.real());
  }
}

// The value that a leaf has, and what an operation makes of its arguments' values.
template <class Number, class Leaf, class Operation>
std::map<NodeId, Number> sweep(const Graph& graph, std::span<const NodeId> roots, const Leaf& leaf,
                               const Operation& operation) {
  std::map<NodeId, Number> value_of;
  for (const NodeId id : reached_from(graph, roots, [](NodeId) { return false; })) {
    const Node& node = graph[id];
    std::array<Number, 3> arguments{};
    for (int i = 0; i < argument_count(node.op); ++i) arguments[i] = value_of.at(node.arguments[i]);
    value_of[id] =
        argument_count(node.op) == 0 ? Number(leaf(id)) : operation(node.op, arguments[0], arguments[1], arguments[2]);
  }
  return value_of;
}

}  // namespace

NodeId parsed(Graph& graph, std::string_view text) {
  const auto outcome = parse(graph, text);
  if (const auto* error = std::get_if<ParseError>(&outcome)) {
    ADD_FAILURE() << text.substr(0, 200) << " does not parse: column " << error->column << ": " << error->message;
    return graph.constant(std::numeric_limits<double>::quiet_NaN());
  }
  return std::get<Formula>(outcome).node;
}

std::vector<double> evaluate(const Graph& graph, std::span<const NodeId> roots, const Values& values) {
  const auto leaf = [&](NodeId id) { return graph.is_symbol(id) ? values.at(graph.symbol_name(id)) : graph[id].value; };
  const auto value_of = sweep<double>(graph, roots, leaf, apply);
  std::vector<double> results;
  for (const NodeId root : roots) results.push_back(value_of.at(root));
  return results;
}

double evaluate(const Graph& graph, NodeId root, const Values& values) {
  return evaluate(graph, std::array{root}, values)[0];
}

double evaluate(std::string_view text, const Values& values) {
  Graph graph;
  return evaluate(graph, parsed(graph, text), values);
}

double complex_step(const Graph& graph, NodeId root, Values values, const std::string& variable) {
  constexpr double h = 1e-100;
  const auto leaf = [&](NodeId id) -> Complex {
    if (!graph.is_symbol(id)) return graph[id].value;
    const std::string& name = graph.symbol_name(id);
    return {values.at(name), name == variable ? h : 0.0};
  };
  return sweep<Complex>(graph, std::array{root}, leaf, apply_complex).at(root).imag() / h;
}

int below(Random& random, int bound) { return static_cast<int>(random.uniform() * bound); }

Tree random_tree(Random& random, int depth, std::span<const Op> operations, std::span<const std::string> names) {
  constexpr std::array constants{0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 1e-3, 7.25};
  if (depth == 0 || random.uniform() < 0.15) {
    if (random.uniform() < 0.4) return {.value = constants[below(random, constants.size())]};
    return {.op = Op::symbol, .value = 0, .name = names[below(random, static_cast<int>(names.size()))]};
  }
  Tree tree{.op = operations[below(random, static_cast<int>(operations.size()))]};
  for (int i = 0; i < argument_count(tree.op); ++i) {
    tree.arguments.push_back(random_tree(random, depth - 1, operations, names));
  }
  return tree;
}

NodeId planted(Graph& graph, const Tree& tree) {
  if (tree.op == Op::constant) return graph.constant(tree.value);
  if (tree.op == Op::symbol) return graph.symbol(tree.name);
  std::array<NodeId, 3> arguments{no_node, no_node, no_node};
  for (std::size_t i = 0; i < tree.arguments.size(); ++i) arguments[i] = planted(graph, tree.arguments[i]);
  return graph.make(tree.op, arguments[0], arguments[1], arguments[2]);
}

TreeValue evaluate(const Tree& tree, const Values& values) {
  if (tree.op == Op::constant) return {tree.value};
  if (tree.op == Op::symbol) return {values.at(tree.name)};
  std::array<double, 3> arguments{};
  TreeValue result;
  for (std::size_t i = 0; i < tree.arguments.size(); ++i) {
    const TreeValue argument = evaluate(tree.arguments[i], values);
    arguments[i] = argument.value;
    result.depends_on_sign_of_zero |= argument.depends_on_sign_of_zero;
  }
  const auto value = [&] { return apply(tree.op, arguments[0], arguments[1], arguments[2]); };
  result.value = value();
  for (double& argument : arguments) {
    if (argument != 0) continue;
    argument = -argument;
    result.depends_on_sign_of_zero |= !is_same_number(value(), result.value);
    argument = -argument;
  }
  return result;
}

std::vector<Op> all_operations() {
  std::vector<Op> operations;
  for (int op = static_cast<int>(Op::add); op <= static_cast<int>(Op::select); ++op) {
    operations.push_back(static_cast<Op>(op));
  }
  return operations;
}

bool is_same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace salvo::expression
