#pragma once

#include <sbml/SBMLTypes.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// Turns nodes of the model's graph into formulas of libsbml. Nodes that stand for a quantity are written by its name.
class MathWriter {
 public:
  explicit MathWriter(const Model& model);

  // `own`: the quantity whose formula it is; its name is not written in place of the whole.
  std::unique_ptr<ASTNode> write(NodeId node, const Quantity* own = nullptr) const;

 private:
  std::unique_ptr<ASTNode> node(NodeId id) const;
  std::unique_ptr<ASTNode> operation(NodeId id) const;
  std::unique_ptr<ASTNode> named(NodeId id) const;  // null where it has no name
  std::unique_ptr<ASTNode> sign_of(NodeId id) const;
  void add_arguments(ASTNode& to, NodeId id) const;

  const Model& model_;
  std::unordered_map<NodeId, std::string> names_;
};

}  // namespace salvo::formats::sbml
