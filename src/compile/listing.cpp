#include "compile/listing.hpp"

#include <algorithm>
#include <unordered_set>

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

// What each node reads, where a product that is added to something and read by nothing else is not a node of its own:
// most of a network is such sums.
class Reading {
 public:
  Reading(const Graph& graph, std::span<const NodeId> nodes, std::span<const NodeId> roots, const Signature& signature)
      : graph_(graph) {
    std::unordered_map<NodeId, int> readers;
    for (const NodeId id : roots) readers[id] += 2;  // a root needs its register
    for (const NodeId id : nodes)
      for (int i = 0; i < arguments(id, signature); ++i) ++readers[graph[id].arguments[i]];
    for (const NodeId id : nodes) {
      if (graph[id].op != Op::add || signature.contains(id)) continue;
      for (const int i : {1, 0}) {
        const NodeId product = graph[id].arguments[i];
        if (graph[product].op != Op::multiply || signature.contains(product) || readers.at(product) != 1) continue;
        added_.insert(product);
        product_of_.emplace(id, i);
        break;
      }
    }
  }

  bool is_added(NodeId id) const { return added_.contains(id); }
  bool has_product(NodeId id) const { return product_of_.contains(id); }
  // The arguments; of a sum with a product: its two factors and the other summand.
  std::vector<NodeId> operands(NodeId id) const {
    const Node& node = graph_[id];
    const auto place = product_of_.find(id);
    if (place == product_of_.end())
      return {node.arguments.begin(), node.arguments.begin() + expression::argument_count(node.op)};
    const Node& product = graph_[node.arguments[place->second]];
    return {product.arguments[0], product.arguments[1], node.arguments[1 - place->second]};
  }

 private:
  int arguments(NodeId id, const Signature& signature) const {
    return is_leaf(graph_, id, signature) ? 0 : expression::argument_count(graph_[id].op);
  }

  const Graph& graph_;
  std::unordered_set<NodeId> added_;
  std::unordered_map<NodeId, int> product_of_;  // of a sum: which argument is its product
};

// For each node, the last instruction that reads it.
std::unordered_map<NodeId, int> last_uses(const Graph& graph, std::span<const NodeId> nodes,
                                          std::span<const NodeId> roots, const Signature& signature,
                                          const Reading& reading) {
  std::unordered_map<NodeId, int> last;
  last.reserve(nodes.size());
  const int count = static_cast<int>(nodes.size());
  for (int n = 0; n < count; ++n) {
    if (is_leaf(graph, nodes[n], signature) || reading.is_added(nodes[n])) continue;
    for (const NodeId operand : reading.operands(nodes[n])) last[operand] = n;
  }
  for (const NodeId id : roots) last[id] = count;  // they are read at the end
  return last;
}

}  // namespace

Listing::Listing(const Graph& graph, std::span<const NodeId> outputs_wanted, const Signature& signature,
                 std::span<const NodeId> sums) {
  const SumPlan plan(graph, outputs_wanted, sums, signature);
  const std::vector<NodeId> nodes = needed_nodes(graph, plan.roots, signature);
  const Reading reading(graph, nodes, plan.roots, signature);
  const auto last = last_uses(graph, nodes, plan.roots, signature, reading);
  std::unordered_map<NodeId, Operand> place;
  place.reserve(nodes.size());
  std::vector<std::int32_t> free_registers;
  for (int n = 0; n < static_cast<int>(nodes.size()); ++n) {
    const Node& node = graph[nodes[n]];
    if (node.op == Op::constant) {
      place[nodes[n]] = {Bank::constant, static_cast<std::int32_t>(constants.size())};
      constants.push_back(node.value);
      continue;
    }
    if (is_leaf(graph, nodes[n], signature)) {
      const auto found = signature.find(nodes[n]);
      SALVO_EXPECTS(found != signature.end());
      place[nodes[n]] = found->second;
      continue;
    }
    if (reading.is_added(nodes[n])) continue;
    const bool adds = reading.has_product(nodes[n]);
    Instruction instruction{.op = adds ? Op::multiply : node.op, .adds = adds};
    Operand* places[3] = {&instruction.a, &instruction.b, &instruction.c};
    const std::vector<NodeId> operands = reading.operands(nodes[n]);
    for (std::size_t i = 0; i < operands.size(); ++i) *places[i] = place.at(operands[i]);
    for (auto operand = operands.begin(); operand != operands.end(); ++operand) {
      const bool repeated = std::find(operands.begin(), operand, *operand) != operand;
      if (!repeated && last.at(*operand) == n && place.at(*operand).bank == Bank::work)
        free_registers.push_back(place.at(*operand).index);
    }
    if (free_registers.empty()) {
      instruction.target = work_size++;
    } else {
      instruction.target = free_registers.back();
      free_registers.pop_back();
    }
    place[nodes[n]] = {Bank::work, instruction.target};
    instructions.push_back(instruction);
  }
  for (const NodeId id : outputs_wanted) outputs.push_back(place.at(id));
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const auto target = static_cast<std::int32_t>(k);
    const Node& node = graph[sums[k]];
    if (plan.is_product[k])
      products.push_back({target, place.at(node.arguments[0]), place.at(node.arguments[1])});
    else if (!graph.is_constant(sums[k], 0))
      additions.push_back({target, place.at(sums[k])});
  }
}

}  // namespace salvo::compile
