#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::formats::sbml {

using expression::NodeId;

// Puts definitions in for their symbols, and the definitions that these use, whatever their order. What was done once
// is remembered, so that many formulas together take the time of their distinct nodes.
class Resolver {
 public:
  explicit Resolver(expression::Graph& graph) : graph_(&graph) {}

  // Later than the first use of the symbol a definition comes too late. A symbol that is defined as itself is free.
  void define(NodeId symbol, NodeId formula) {
    if (symbol == formula)
      formulas_.erase(symbol);
    else
      formulas_[symbol] = formula;
  }
  bool defines(NodeId symbol) const { return formulas_.contains(symbol); }

  // None if a definition needs itself; `cycle` then is its symbol.
  NodeId resolve(NodeId node);
  NodeId cycle() const { return cycle_; }

 private:
  bool is_done(NodeId node) const {
    return node < static_cast<NodeId>(done_.size()) && done_[node] != expression::no_node;
  }
  void finish(NodeId node, NodeId result);
  bool open(NodeId node, std::vector<NodeId>& stack);  // what it is made of goes on the stack
  void close(NodeId node);                             // all of that is done

  expression::Graph* graph_;
  std::unordered_map<NodeId, NodeId> formulas_;
  std::unordered_set<NodeId> open_symbols_;
  std::vector<NodeId> done_;  // by node
  NodeId cycle_ = expression::no_node;
};

}  // namespace salvo::formats::sbml
