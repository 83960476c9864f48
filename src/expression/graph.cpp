#include "expression/graph.hpp"

#include <bit>
#include <limits>
#include <utility>

#include "base/contract.hpp"
#include "expression/reach.hpp"
#include "expression/simplify.hpp"

namespace salvo::expression {
namespace {

bool is_commutative(Op op) {
  switch (op) {
    case Op::add:
    case Op::multiply:
    case Op::minimum:
    case Op::maximum:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or: return true;
    default: return false;
  }
}

std::size_t mixed(std::size_t seed, std::uint64_t value) {
  return seed ^ (value * 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U));
}

}  // namespace

int argument_count(Op op) {
  if (op == Op::select || op == Op::stretch) return 3;
  if (op == Op::delay || op >= Op::integral) return 2;
  if (op >= Op::negate) return 1;
  return op >= Op::add ? 2 : 0;
}

bool is_truth_value(Op op) {
  switch (op) {
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not: return true;
    default: return false;
  }
}

std::size_t Graph::NodeHash::operator()(const Node& node) const {
  std::size_t seed = mixed(0, static_cast<std::uint64_t>(node.op));
  for (const NodeId argument : node.arguments) seed = mixed(seed, static_cast<std::uint32_t>(argument));
  return mixed(seed, std::bit_cast<std::uint64_t>(node.value));
}

bool Graph::NodeSame::operator()(const Node& a, const Node& b) const {
  return a.op == b.op && a.arguments == b.arguments &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

NodeId Graph::intern(const Node& node) {
  const auto [place, is_new] = known_.try_emplace(node, size());
  if (is_new) nodes_.push_back(node);
  return place->second;
}

NodeId Graph::constant(double value) {
  if (value != value) value = std::numeric_limits<double>::quiet_NaN();  // one NaN stands for all of them
  return intern({.op = Op::constant, .value = value});
}

NodeId Graph::symbol(std::string_view name) {
  const auto [place, is_new] = symbol_nodes_.try_emplace(std::string(name), no_node);
  if (is_new) {
    const auto index = static_cast<NodeId>(symbol_names_.size());
    symbol_names_.emplace_back(name);
    place->second = intern({.op = Op::symbol, .arguments = {index, no_node, no_node}});
  }
  return place->second;
}

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c) {
  const int count = argument_count(op);
  SALVO_EXPECTS(count > 0);
  SALVO_EXPECTS(a >= 0 && a < size());
  SALVO_EXPECTS(count > 1 ? b >= 0 && b < size() : b == no_node);
  SALVO_EXPECTS(count > 2 ? c >= 0 && c < size() : c == no_node);
  if (is_commutative(op) && b < a) std::swap(a, b);
  const NodeId simpler = simplified(*this, op, a, b, c);
  return simpler != no_node ? simpler : intern({.op = op, .arguments = {a, b, c}});
}

const std::string& Graph::symbol_name(NodeId id) const {
  SALVO_EXPECTS(is_symbol(id));
  return symbol_names_[static_cast<std::size_t>((*this)[id].arguments[0])];
}

std::optional<NodeId> Graph::find_symbol(std::string_view name) const {
  const auto place = symbol_nodes_.find(std::string(name));
  return place == symbol_nodes_.end() ? std::nullopt : std::optional(place->second);
}

Substitution::Substitution(Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to) : graph_(graph) {
  SALVO_EXPECTS(from.size() == to.size());
  for (std::size_t i = 0; i < from.size(); ++i) replacement_.try_emplace(from[i], to[i]);
}

std::vector<NodeId> Substitution::operator()(std::span<const NodeId> roots) {
  for (const NodeId id : reached_from(graph_, roots, [&](NodeId node) { return replacement_.contains(node); })) {
    if (replacement_.contains(id)) continue;
    const Node node = graph_[id];
    std::array<NodeId, 3> arguments = node.arguments;
    for (int i = 0; i < argument_count(node.op); ++i) arguments[i] = replacement_.at(arguments[i]);
    const bool is_changed = argument_count(node.op) > 0 && arguments != node.arguments;
    replacement_.emplace(id, is_changed ? graph_.make(node.op, arguments[0], arguments[1], arguments[2]) : id);
  }
  std::vector<NodeId> results;
  results.reserve(roots.size());
  for (const NodeId root : roots) results.push_back(replacement_.at(root));
  return results;
}

std::vector<NodeId> substitute(Graph& graph, std::span<const NodeId> roots, std::span<const NodeId> from,
                               std::span<const NodeId> to) {
  return Substitution(graph, from, to)(roots);
}

std::vector<NodeId> symbols_of(const Graph& graph, std::span<const NodeId> roots) {
  std::vector<NodeId> symbols;
  for (const NodeId id : reached_from(graph, roots, [](NodeId) { return false; })) {
    if (graph.is_symbol(id)) symbols.push_back(id);
  }
  return symbols;
}

}  // namespace salvo::expression
