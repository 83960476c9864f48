#include "compile/keep.hpp"

#include "expression/reach.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::NodeId;
using expression::Op;

namespace {

constexpr long worth = 3;          // operations that keeping a number must save
constexpr long function_call = 8;  // operations that a call of a function counts for

bool computes(const Graph& graph, NodeId id) { return expression::argument_count(graph[id].op) > 0; }

long operations(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::negate: return 1;
    default: return function_call;
  }
}

}  // namespace

std::vector<NodeId> worth_keeping(const Graph& graph, std::span<const NodeId> values,
                                  std::span<const NodeId> pullback) {
  const auto to_the_ground = [](NodeId) { return false; };
  std::vector<bool> in_values(static_cast<std::size_t>(graph.size()), false);
  for (const NodeId id : expression::reached_from(graph, values, to_the_ground))
    in_values[static_cast<std::size_t>(id)] = computes(graph, id);
  const auto is_value = [&](NodeId id) { return bool{in_values[static_cast<std::size_t>(id)]}; };
  // The pullback down to what it shares with the values.
  std::vector<NodeId> shared;
  for (const NodeId id : expression::reached_from(graph, pullback, is_value))
    if (is_value(id)) shared.push_back(id);
  long again = 0;
  for (const NodeId id : expression::reached_from(graph, shared, to_the_ground))
    if (computes(graph, id)) again += operations(graph[id].op);
  return again >= worth * static_cast<long>(shared.size()) ? shared : std::vector<NodeId>{};
}

}  // namespace salvo::compile
