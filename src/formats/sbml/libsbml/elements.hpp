#pragma once

#include <sbml/SBMLTypes.h>

#include <map>
#include <string>

#include "formats/sbml/libsbml/math.hpp"
#include "formats/sbml/model.hpp"

namespace salvo::formats::sbml {

// Reads the elements of a model that libsbml has parsed.
class ElementReader {
 public:
  ElementReader(const ::Model& source, Model& model, IssueLog& log)
      : source_(source), model_(model), log_(log), math_(model, source) {}

  void read();
  const Issues& unsupported() const { return unsupported_; }

 private:
  using Scope = std::map<std::string, NodeId>;

  void declare_compartments();
  void declare_species();
  void declare_parameters();
  void declare_stoichiometries();
  void declare_reactions();
  Quantity& declare(const SBase& element, const std::string& id, Quantity::Kind kind);
  NodeId symbol_for(const SBase& element, const std::string& id);
  NodeId conversion_factor(const ::Species& species);

  void read_initial_assignments();
  void read_rules();
  void read_rule(const ::Rule& rule);
  void read_reaction(const ::Reaction& source, Reaction& reaction);
  void read_participant(const ::SpeciesReference& reference, double sign, const std::string& what, Reaction& reaction);
  Scope local_parameters(const ::Reaction& source);
  void read_events();
  void read_event(const ::Event& source);
  void read_delay_and_priority(const ::Event& source, const std::string& what, Event& event);
  void check_rates_of();

  // The formula of an element; none, with an Issue, where it cannot be read.
  NodeId formula(const ASTNode* math, const SBase& element, const std::string& what, const Scope& local = {});
  Quantity* target(const SBase& element, const std::string& id, const std::string& what);
  void refuse(const SBase& element, const std::string& message);
  static Place place_of(const SBase& element);

  const ::Model& source_;
  Model& model_;
  IssueLog& log_;
  Issues unsupported_;
  MathReader math_;
};

}  // namespace salvo::formats::sbml
