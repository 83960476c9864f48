#pragma once

#include <sbml/SBMLTypes.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// What is wrong with a formula, or what in it is not supported, in the words of an Issue.
struct MathTrouble {
  Issue::Kind kind = Issue::Kind::invalid;
  std::string message{};
};

struct NumberFunction;  // floor, factorial and others

// Turns MathML into nodes of the model's graph. Calls of function definitions are replaced by what they stand for.
class MathReader {
 public:
  MathReader(Model& model, const ::Model& source) : model_(model), source_(source) {}

  // Names that stand for something in every formula.
  void declare(const std::string& id, NodeId node) { known_[id] = node; }
  bool knows(const std::string& id) const { return known_.contains(id); }

  // `local` names hide others. Trouble is added where the formula cannot be read; the node is then none.
  NodeId read(const ASTNode* math, const std::map<std::string, NodeId>& local, std::vector<MathTrouble>& trouble);

 private:
  using Scope = std::map<std::string, NodeId>;

  NodeId node(const ASTNode& math, const Scope& scope);
  NodeId named(const ASTNode& math, const Scope& scope);
  NodeId call(const ASTNode& math, const Scope& scope);
  NodeId rate_of(const ASTNode& math, const Scope& scope);
  NodeId folded(const ASTNode& math, const Scope& scope, expression::Op op, double neutral);
  NodeId compared(const ASTNode& math, const Scope& scope);
  NodeId exclusive_or(const ASTNode& math, const Scope& scope);
  NodeId piecewise(const ASTNode& math, const Scope& scope);
  NodeId delayed(const ASTNode& math, const Scope& scope);
  NodeId special(const ASTNode& math, const Scope& scope);
  NodeId function_named(const char* name, const ASTNode& math, const Scope& scope);
  NodeId of_numbers(const ASTNode& math, const Scope& scope);
  NodeId staircase(const NumberFunction& function, NodeId a, NodeId b);
  NodeId argument(const ASTNode& math, unsigned index, const Scope& scope);
  NodeId fail(Issue::Kind kind, const std::string& message);

  Model& model_;
  const ::Model& source_;
  std::map<std::string, NodeId> known_;
  std::vector<MathTrouble>* trouble_ = nullptr;
  int depth_ = 0;     // of calls within calls
  long visited_ = 0;  // parts of formulas, those of called functions included
};

}  // namespace salvo::formats::sbml
