#include "expression/gradients.hpp"

#include <algorithm>
#include <array>

#include "base/contract.hpp"
#include "expression/chain_rule.hpp"
#include "expression/reach.hpp"

namespace salvo::expression {
namespace {

// select(condition, a, b) entry by entry, where a missing entry is zero.
Gradient selected(Graph& graph, NodeId condition, const Gradient& a, const Gradient& b) {
  const NodeId zero = graph.constant(0);
  Gradient result;
  auto in_a = a.begin();
  auto in_b = b.begin();
  while (in_a != a.end() || in_b != b.end()) {
    const bool takes_a = in_a != a.end() && (in_b == b.end() || in_a->column <= in_b->column);
    const bool takes_b = in_b != b.end() && (in_a == a.end() || in_b->column <= in_a->column);
    const int column = takes_a ? in_a->column : in_b->column;
    const NodeId if_true = takes_a ? (in_a++)->node : zero;
    const NodeId otherwise = takes_b ? (in_b++)->node : zero;
    result.push_back({column, graph.make(Op::select, condition, if_true, otherwise)});
  }
  return result;
}

}  // namespace

Variables::Variables(std::span<const NodeId> variables) : nodes(variables.begin(), variables.end()) {
  for (const NodeId variable : variables) {
    const bool is_new = column_of.try_emplace(variable, static_cast<int>(column_of.size())).second;
    SALVO_EXPECTS(is_new);
  }
}

Gradients::Gradients(Graph& graph, std::span<const NodeId> outputs, const Variables& variables)
    : graph_(graph), variables_(variables) {
  const auto is_variable = [&](NodeId id) { return variables_.column_of.contains(id); };
  const std::vector<NodeId> ascending = reached_from(graph, outputs, is_variable);
  find_active(ascending);
  for (const NodeId id : ascending) {
    const bool is_needed = active_.contains(id) && !is_variable(id);
    if (is_needed && has_branches(graph[id].op)) branch_gradients_.emplace(id, through_branches(id));
  }
}

void Gradients::find_active(std::span<const NodeId> ascending) {
  for (const NodeId id : ascending) {
    const Node& node = graph_[id];
    bool is_active = variables_.column_of.contains(id);
    const int first = node.op == Op::select ? 1 : 0;  // a condition only jumps
    for (int i = first; is_differentiable(node.op) && i < argument_count(node.op); ++i) {
      is_active = is_active || active_.contains(node.arguments[i]);
    }
    if (is_active) active_.insert(id);
  }
}

bool Gradients::is_leaf(NodeId id) const {
  return !active_.contains(id) || variables_.column_of.contains(id) || branch_gradients_.contains(id);
}

Gradient Gradients::through_branches(NodeId id) {
  const Branches branches = branches_of(graph_, id);
  const std::array seed{graph_.constant(1)};
  const Gradient if_true = sweep(std::array{branches.if_true}, seed);
  const Gradient otherwise = sweep(std::array{branches.otherwise}, seed);
  return selected(graph_, branches.condition, if_true, otherwise);
}

Gradient Gradients::sweep(std::span<const NodeId> outputs, std::span<const NodeId> seeds) {
  const std::vector<NodeId> ascending = reached_from(graph_, outputs, [&](NodeId id) { return is_leaf(id); });
  adjoint_.clear();
  for (std::size_t i = 0; i < outputs.size(); ++i) accumulate(outputs[i], seeds[i]);
  for (auto id = ascending.rbegin(); id != ascending.rend(); ++id) {
    const auto place = adjoint_.find(*id);
    if (place != adjoint_.end() && !variables_.column_of.contains(*id)) pass_on(*id, place->second);
  }
  return collect();
}

void Gradients::accumulate(NodeId id, NodeId seed) {
  if (!active_.contains(id) || graph_.is_constant(seed, 0)) return;
  const auto [place, is_first] = adjoint_.try_emplace(id, seed);
  if (!is_first) place->second = graph_.add(place->second, seed);
}

void Gradients::pass_on(NodeId id, NodeId seed) {
  if (const auto place = branch_gradients_.find(id); place != branch_gradients_.end()) {
    for (const auto& [column, node] : place->second) {
      accumulate(variables_.nodes[static_cast<std::size_t>(column)], graph_.multiply(seed, node));
    }
    return;
  }
  const Node node = graph_[id];
  for (int i = 0; i < argument_count(node.op); ++i) {
    if (active_.contains(node.arguments[i])) {
      accumulate(node.arguments[i], chained(graph_, id, i, seed));
    }
  }
}

Gradient Gradients::collect() {
  Gradient gradient;
  for (const auto& [id, node] : adjoint_) {
    const auto place = variables_.column_of.find(id);
    if (place != variables_.column_of.end() && !graph_.is_constant(node, 0)) gradient.push_back({place->second, node});
  }
  std::sort(gradient.begin(), gradient.end(), [](const Partial& a, const Partial& b) { return a.column < b.column; });
  return gradient;
}

}  // namespace salvo::expression
