#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "expression/graph.hpp"

namespace salvo::compile {

// Collects the relations of formulas as switching functions and puts a symbol in the place of each truth value. Equal
// relations are one, and so are a relation and its negation.
class Freezer {
 public:
  // A relation switches if it depends on one of these.
  Freezer(expression::Graph& graph, std::span<const expression::NodeId> variables);

  // The roots with frozen truth values: relations, `min`, `max`, `abs` and `sign` of what varies.
  std::vector<expression::NodeId> frozen(std::span<const expression::NodeId> roots);

  struct Switch {
    expression::NodeId truth = expression::no_node;     // its symbol
    expression::NodeId z = expression::no_node;         // true where positive; frozen itself
    expression::NodeId relation = expression::no_node;  // as it was written
  };
  const std::vector<Switch>& switches() const { return switches_; }

 private:
  expression::NodeId replacement(expression::NodeId id);
  expression::NodeId truth_of(expression::NodeId z, expression::NodeId relation);
  expression::NodeId now(expression::NodeId id) const;

  expression::Graph& graph_;
  std::vector<char> varies_;             // of each node, as far as they are known
  std::vector<expression::NodeId> now_;  // what each node has become
  std::vector<Switch> switches_;
  std::unordered_map<expression::NodeId, int> by_z_;  // their places
};

}  // namespace salvo::compile
