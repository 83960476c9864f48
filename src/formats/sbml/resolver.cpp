#include "formats/sbml/resolver.hpp"

#include <array>

namespace salvo::formats::sbml {

using expression::no_node;

void Resolver::finish(NodeId node, NodeId result) {
  if (node >= static_cast<NodeId>(done_.size())) done_.resize(static_cast<std::size_t>(graph_->size()), no_node);
  done_[node] = result;
}

bool Resolver::open(NodeId node, std::vector<NodeId>& stack) {
  const auto formula = formulas_.find(node);
  if (formula != formulas_.end()) {
    if (!open_symbols_.insert(node).second) {
      cycle_ = node;
      return false;
    }
    if (!is_done(formula->second)) stack.push_back(formula->second);
    return true;
  }
  const expression::Node parts = (*graph_)[node];
  for (int i = 0; i < expression::argument_count(parts.op); ++i)
    if (!is_done(parts.arguments[i])) stack.push_back(parts.arguments[i]);
  return true;
}

void Resolver::close(NodeId node) {
  const auto formula = formulas_.find(node);
  if (formula != formulas_.end()) {
    open_symbols_.erase(node);
    return finish(node, done_[formula->second]);
  }
  const expression::Node parts = (*graph_)[node];
  const int count = expression::argument_count(parts.op);
  std::array<NodeId, 3> arguments{no_node, no_node, no_node};
  for (int i = 0; i < count; ++i) arguments[i] = done_[parts.arguments[i]];
  const bool is_same = count == 0 || arguments == parts.arguments;
  finish(node, is_same ? node : graph_->make(parts.op, arguments[0], arguments[1], arguments[2]));
}

NodeId Resolver::resolve(NodeId root) {
  std::vector<NodeId> stack{root};
  std::vector<NodeId> waiting;  // for what they are made of
  while (!stack.empty()) {
    const NodeId node = stack.back();
    if (is_done(node)) {
      stack.pop_back();
    } else if (!waiting.empty() && waiting.back() == node) {
      stack.pop_back();
      waiting.pop_back();
      close(node);
    } else {
      waiting.push_back(node);
      if (!open(node, stack)) {
        open_symbols_.clear();
        return no_node;
      }
    }
  }
  return done_[root];
}

}  // namespace salvo::formats::sbml
