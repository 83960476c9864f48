#include "compile/tape.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "expression/reach.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::Node;
using expression::NodeId;
using expression::Op;

namespace {

bool is_leaf(const Graph& graph, NodeId id, const Signature& signature) {
  return expression::argument_count(graph[id].op) == 0 || signature.contains(id);
}

// The nodes that the outputs need, in the graph's order.
std::vector<NodeId> needed_nodes(const Graph& graph, std::span<const NodeId> outputs, const Signature& signature) {
  return expression::reached_from(graph, outputs, [&](NodeId id) { return is_leaf(graph, id, signature); });
}

// Takes the products among the sums that nothing else reads out of the roots: they are formed while they are added.
class SumPlan {
 public:
  SumPlan(const Graph& graph, std::span<const NodeId> outputs, std::span<const NodeId> sums,
          const Signature& signature) {
    std::vector<NodeId> all(outputs.begin(), outputs.end());
    all.insert(all.end(), sums.begin(), sums.end());
    std::unordered_map<NodeId, int> readers;
    for (const NodeId id : all) ++readers[id];
    for (const NodeId id : needed_nodes(graph, all, signature)) {
      if (is_leaf(graph, id, signature)) continue;
      for (int i = 0; i < expression::argument_count(graph[id].op); ++i) ++readers[graph[id].arguments[i]];
    }
    roots.assign(outputs.begin(), outputs.end());
    for (const NodeId id : sums) {
      const Node& node = graph[id];
      is_product.push_back(node.op == Op::multiply && readers.at(id) == 1 && !signature.contains(id));
      if (is_product.back())
        roots.insert(roots.end(), node.arguments.begin(), node.arguments.begin() + 2);
      else
        roots.push_back(id);
    }
  }

  std::vector<NodeId> roots{};     // what must be in registers at the end
  std::vector<bool> is_product{};  // of each sum
};

// For each node, the last instruction that reads it.
std::unordered_map<NodeId, int> last_uses(const Graph& graph, std::span<const NodeId> nodes,
                                          std::span<const NodeId> roots, const Signature& signature) {
  std::unordered_map<NodeId, int> last;
  last.reserve(nodes.size());
  const int count = static_cast<int>(nodes.size());
  for (int n = 0; n < count; ++n) {
    if (is_leaf(graph, nodes[n], signature)) continue;
    for (int i = 0; i < expression::argument_count(graph[nodes[n]].op); ++i) last[graph[nodes[n]].arguments[i]] = n;
  }
  for (const NodeId id : roots) last[id] = count;  // they are read at the end
  return last;
}

}  // namespace

Tape::Tape(const Graph& graph, std::span<const NodeId> outputs, const Signature& signature,
           std::span<const NodeId> sums) {
  const SumPlan plan(graph, outputs, sums, signature);
  const std::vector<NodeId> nodes = needed_nodes(graph, plan.roots, signature);
  const auto last = last_uses(graph, nodes, plan.roots, signature);
  std::unordered_map<NodeId, Operand> place;
  place.reserve(nodes.size());
  std::vector<std::int32_t> free_registers;
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
    const Node& node = graph[nodes[n]];
    if (node.op == Op::constant) {
      place[nodes[n]] = {Bank::constant, static_cast<std::int32_t>(constants_1_.size())};
      constants_1_.push_back(node.value);
      continue;
    }
    if (is_leaf(graph, nodes[n], signature)) {
      const auto found = signature.find(nodes[n]);
      SALVO_EXPECTS(found != signature.end());
      place[nodes[n]] = found->second;
      continue;
    }
    Instruction instruction{.op = node.op};
    Operand* operands[3] = {&instruction.a, &instruction.b, &instruction.c};
    const int arguments = expression::argument_count(node.op);
    for (int i = 0; i < arguments; ++i) *operands[i] = place.at(node.arguments[i]);
    for (int i = 0; i < arguments; ++i) {
      const NodeId argument = node.arguments[i];
      const bool repeated =
          std::find(node.arguments.begin(), node.arguments.begin() + i, argument) != node.arguments.begin() + i;
      if (!repeated && last.at(argument) == n && place.at(argument).bank == Bank::work)
        free_registers.push_back(place.at(argument).index);
    }
    if (free_registers.empty()) {
      instruction.target = work_size_++;
    } else {
      instruction.target = free_registers.back();
      free_registers.pop_back();
    }
    place[nodes[n]] = {Bank::work, instruction.target};
    instructions_.push_back(instruction);
  }
  for (const NodeId id : outputs) outputs_.push_back(place.at(id));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const auto target = static_cast<std::int32_t>(k);
    const Node& node = graph[sums[k]];
    if (plan.is_product[k])
      products_.push_back({target, place.at(node.arguments[0]), place.at(node.arguments[1])});
    else if (!graph.is_constant(sums[k], 0))
      additions_.push_back({target, place.at(sums[k])});
  }
  for (const double value : constants_1_) {
    constants_4_.insert(constants_4_.end(), 4, value);
    constants_8_.insert(constants_8_.end(), 8, value);
  }
}

}  // namespace salvo::compile
