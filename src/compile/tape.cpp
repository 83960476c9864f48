#include "compile/tape.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::Node;
using expression::NodeId;
using expression::Op;

namespace {

// The nodes that the outputs need, in the graph's order.
std::vector<NodeId> needed_nodes(const Graph& graph, std::span<const NodeId> outputs) {
  std::vector<NodeId> open(outputs.begin(), outputs.end());
  std::unordered_map<NodeId, bool> seen;
  std::vector<NodeId> nodes;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.emplace(id, true).second) continue;
    nodes.push_back(id);
    const Node& node = graph[id];
    for (int i = 0; i < expression::argument_count(node.op); ++i) open.push_back(node.arguments[i]);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// For each node, the last instruction that reads it.
std::unordered_map<NodeId, int> last_uses(const Graph& graph, std::span<const NodeId> nodes,
                                          std::span<const NodeId> outputs) {
  std::unordered_map<NodeId, int> last;
  const int count = static_cast<int>(nodes.size());
  for (int n = 0; n < count; ++n)
    for (int i = 0; i < expression::argument_count(graph[nodes[n]].op); ++i) last[graph[nodes[n]].arguments[i]] = n;
  for (const NodeId id : outputs) last[id] = count;  // outputs are copied at the end
  return last;
}

}  // namespace

Tape::Tape(const Graph& graph, std::span<const NodeId> outputs, const Signature& signature) {
  const std::vector<NodeId> nodes = needed_nodes(graph, outputs);
  const auto last = last_uses(graph, nodes, outputs);
  std::unordered_map<NodeId, Operand> place;
  std::vector<std::int32_t> free_registers;
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
    const Node& node = graph[nodes[n]];
    if (node.op == Op::constant) {
      place[nodes[n]] = {Bank::constant, static_cast<std::int32_t>(constants_1_.size())};
      constants_1_.push_back(node.value);
      continue;
    }
    if (node.op == Op::symbol) {
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
  for (const double value : constants_1_) {
    constants_4_.insert(constants_4_.end(), 4, value);
    constants_8_.insert(constants_8_.end(), 8, value);
  }
}

}  // namespace salvo::compile
