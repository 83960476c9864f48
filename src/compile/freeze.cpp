#include "compile/freeze.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "expression/reach.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::no_node;
using expression::Node;
using expression::NodeId;
using expression::Op;

Freezer::Freezer(Graph& graph, std::span<const NodeId> variables) : graph_(graph) {
  for (const NodeId variable : variables) {
    if (variable >= static_cast<NodeId>(varies_.size())) varies_.resize(variable + 1, 0);
    varies_[variable] = 1;
  }
}

NodeId Freezer::now(NodeId id) const { return now_[id]; }

// Arguments come before the nodes that use them, so one pass in order rebuilds everything.
std::vector<NodeId> Freezer::frozen(std::span<const NodeId> roots) {
  const std::vector<NodeId> order = expression::reached_from(graph_, roots, [](NodeId) { return false; });
  const auto size = static_cast<std::size_t>(graph_.size());
  varies_.resize(std::max(varies_.size(), size), 0);
  now_.resize(std::max(now_.size(), size), no_node);
  for (const NodeId id : order) {
    if (now_[id] != no_node) continue;
    const Node node = graph_[id];
    for (int i = 0; i < argument_count(node.op); ++i)
      if (varies_[node.arguments[i]] != 0) varies_[id] = 1;
    now_[id] = replacement(id);
  }
  std::vector<NodeId> out;
  for (const NodeId root : roots) out.push_back(now(root));
  return out;
}

NodeId Freezer::replacement(NodeId id) {
  const Node node = graph_[id];
  const int count = argument_count(node.op);
  if (count == 0) return id;
  const NodeId a = now(node.arguments[0]);
  const NodeId b = count > 1 ? now(node.arguments[1]) : no_node;
  const NodeId c = count > 2 ? now(node.arguments[2]) : no_node;
  const auto plain = [&] { return std::array{a, b, c} == node.arguments ? id : graph_.make(node.op, a, b, c); };
  if (varies_[id] == 0) return plain();
  const auto [written_a, written_b, unused] = node.arguments;
  const auto less = [&](NodeId left, NodeId right) { return graph_.make(Op::less, left, right); };
  const auto select = [&](NodeId truth, NodeId yes, NodeId no) { return graph_.make(Op::select, truth, yes, no); };
  switch (node.op) {
    case Op::less:
    case Op::less_equal: return truth_of(graph_.subtract(b, a), id);
    case Op::minimum: return select(truth_of(graph_.subtract(b, a), less(written_a, written_b)), a, b);
    case Op::maximum: return select(truth_of(graph_.subtract(a, b), less(written_b, written_a)), a, b);
    case Op::abs: return select(truth_of(a, less(graph_.constant(0), written_a)), a, graph_.negate(a));
    case Op::sign:
      return select(truth_of(a, less(graph_.constant(0), written_a)), graph_.constant(1), graph_.constant(-1));
    default: return plain();
  }
}

// A relation that turns out to be constant after all stays what it is.
NodeId Freezer::truth_of(NodeId z, NodeId relation) {
  if (const auto known = by_z_.find(z); known != by_z_.end()) return switches_[known->second].truth;
  const Node node = graph_[z];
  const NodeId opposite =
      node.op == Op::subtract ? graph_.subtract(node.arguments[1], node.arguments[0]) : graph_.negate(z);
  if (const auto known = by_z_.find(opposite); known != by_z_.end())
    return graph_.make(Op::logical_not, switches_[known->second].truth);
  if (graph_.is_constant(z)) return relation;
  const NodeId truth = graph_.symbol("truth value " + std::to_string(switches_.size()));
  by_z_.emplace(z, static_cast<int>(switches_.size()));
  switches_.push_back({.truth = truth, .z = z, .relation = relation});
  return truth;
}

}  // namespace salvo::compile
