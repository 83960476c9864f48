#include "formats/sbml/libsbml/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace salvo::formats::sbml {
namespace {

using expression::no_node;

std::optional<double> number_if(bool is_set, double value) {
  return is_set && !std::isnan(value) ? std::optional(value) : std::nullopt;
}

// The library takes a fraction apart that Level 2 writes as a formula.
double stoichiometry_of(const SpeciesReference& reference) {
  return reference.getStoichiometry() / reference.getDenominator();
}

}  // namespace

void ElementReader::read() {
  model_.id = source_.getId();
  model_.time = model_.graph.symbol("time");
  declare_compartments();
  declare_parameters();
  declare_species();
  declare_stoichiometries();
  declare_reactions();
  read_initial_assignments();
  read_rules();
  for (unsigned i = 0; i < source_.getNumReactions(); ++i) read_reaction(*source_.getReaction(i), model_.reactions[i]);
  read_events();
  check_rates_of();
}

Place ElementReader::place_of(const SBase& element) {
  return {static_cast<int>(element.getLine()), static_cast<int>(element.getColumn())};
}

void ElementReader::refuse(const SBase& element, const std::string& message) {
  const Place place = place_of(element);
  for (const Issue& issue : unsupported_)
    if (issue.message == message) return;
  unsupported_.push_back({.kind = Issue::Kind::unsupported,
                          .file = log_.file(),
                          .line = place.line,
                          .column = place.column,
                          .message = message,
                          .is_feature = true});
}

// --- names -----------------------------------------------------------------------------------------------------------

NodeId ElementReader::symbol_for(const SBase& element, const std::string& id) {
  if (id.empty()) log_.add(place_of(element), fmt::format("a {} has no id", element.getElementName()));
  if (math_.knows(id)) log_.add(place_of(element), fmt::format("the id '{}' is used twice", id.substr(0, 60)));
  const NodeId symbol = model_.graph.symbol(id == "time" ? "time_" : id);
  math_.declare(id, symbol);
  return symbol;
}

Quantity& ElementReader::declare(const SBase& element, const std::string& id, Quantity::Kind kind) {
  model_.places.emplace(id, static_cast<int>(model_.quantities.size()));
  model_.quantities.push_back({.id = id, .kind = kind, .place = place_of(element), .symbol = symbol_for(element, id)});
  return model_.quantities.back();
}

void ElementReader::declare_compartments() {
  for (unsigned i = 0; i < source_.getNumCompartments(); ++i) {
    const Compartment& compartment = *source_.getCompartment(i);
    Quantity& quantity = declare(compartment, compartment.getId(), Quantity::Kind::compartment);
    quantity.value = number_if(compartment.isSetSize(), compartment.getSize());
    quantity.constant = compartment.getConstant();
  }
}

void ElementReader::declare_parameters() {
  for (unsigned i = 0; i < source_.getNumParameters(); ++i) {
    const Parameter& parameter = *source_.getParameter(i);
    Quantity& quantity = declare(parameter, parameter.getId(), Quantity::Kind::parameter);
    quantity.value = number_if(parameter.isSetValue(), parameter.getValue());
    quantity.constant = parameter.getConstant();
  }
}

NodeId ElementReader::conversion_factor(const ::Species& species) {
  const std::string& id =
      species.isSetConversionFactor() ? species.getConversionFactor() : source_.getConversionFactor();
  if (id.empty()) return no_node;
  const int index = model_.find(id);
  if (index < 0) log_.add(place_of(species), fmt::format("the conversion factor '{}' is not known", id));
  return index < 0 ? no_node : model_.quantities[index].symbol;
}

void ElementReader::declare_species() {
  for (unsigned i = 0; i < source_.getNumSpecies(); ++i) {
    const Species& species = *source_.getSpecies(i);
    const int compartment = model_.find(species.getCompartment());
    if (compartment < 0)
      log_.add(place_of(species), fmt::format("the compartment '{}' of species '{}' is not known",
                                              species.getCompartment().substr(0, 60), species.getId()));
    const Compartment* its = source_.getCompartment(species.getCompartment());
    Quantity& quantity = declare(species, species.getId(), Quantity::Kind::species);
    quantity.compartment = compartment;
    quantity.constant = species.getConstant();
    quantity.boundary = species.getBoundaryCondition();
    // A point has no size: what is in it has an amount only.
    quantity.is_amount =
        species.getHasOnlySubstanceUnits() || (its != nullptr && its->getSpatialDimensionsAsDouble() == 0);
    quantity.value_is_amount = species.isSetInitialAmount();
    quantity.value = quantity.value_is_amount
                         ? number_if(true, species.getInitialAmount())
                         : number_if(species.isSetInitialConcentration(), species.getInitialConcentration());
    quantity.conversion = conversion_factor(species);
  }
}

// In Level 3 the id of a reference to a species is the name of its stoichiometry.
void ElementReader::declare_stoichiometries() {
  const auto declare_one = [&](const SpeciesReference& reference) {
    if (!reference.isSetId()) return;
    Quantity& quantity = declare(reference, reference.getId(), Quantity::Kind::stoichiometry);
    quantity.value = number_if(true, stoichiometry_of(reference));
    quantity.constant = source_.getLevel() < 3 || reference.getConstant();
  };
  for (unsigned i = 0; i < source_.getNumReactions(); ++i) {
    const ::Reaction& reaction = *source_.getReaction(i);
    for (unsigned k = 0; k < reaction.getNumReactants(); ++k) declare_one(*reaction.getReactant(k));
    for (unsigned k = 0; k < reaction.getNumProducts(); ++k) declare_one(*reaction.getProduct(k));
  }
}

void ElementReader::declare_reactions() {
  for (unsigned i = 0; i < source_.getNumReactions(); ++i) {
    const ::Reaction& reaction = *source_.getReaction(i);
    model_.reactions.push_back({.id = reaction.getId(), .symbol = symbol_for(reaction, reaction.getId())});
  }
}

// --- formulas --------------------------------------------------------------------------------------------------------

NodeId ElementReader::formula(const ASTNode* math, const SBase& element, const std::string& what, const Scope& local) {
  std::vector<MathTrouble> troubles;
  const std::size_t known = model_.staircases.size();
  const NodeId node = math_.read(math, local, troubles);
  for (std::size_t i = known; i < model_.staircases.size(); ++i) model_.staircases[i].place = place_of(element);
  for (const MathTrouble& trouble : troubles) {
    if (trouble.kind == Issue::Kind::unsupported)
      refuse(element, trouble.message);
    else
      log_.add(place_of(element), fmt::format("{} in {}", trouble.message, what));
  }
  return node;
}

Quantity* ElementReader::target(const SBase& element, const std::string& id, const std::string& what) {
  const int index = model_.find(id);
  if (index >= 0) return &model_.quantities[index];
  log_.add(place_of(element), fmt::format("unknown name '{}': {} sets what is not there", id.substr(0, 60), what));
  return nullptr;
}

void ElementReader::read_initial_assignments() {
  for (unsigned i = 0; i < source_.getNumInitialAssignments(); ++i) {
    const InitialAssignment& assignment = *source_.getInitialAssignment(i);
    const std::string what = fmt::format("the initial assignment of {}", assignment.getSymbol());
    Quantity* quantity = target(assignment, assignment.getSymbol(), what);
    if (quantity != nullptr && assignment.isSetMath())
      quantity->initial_assignment = formula(assignment.getMath(), assignment, what);
  }
}

void ElementReader::read_rules() {
  for (unsigned i = 0; i < source_.getNumRules(); ++i) read_rule(*source_.getRule(i));
}

void ElementReader::read_rule(const ::Rule& rule) {
  if (rule.isAlgebraic()) {
    if (!rule.isSetMath()) return;
    const NodeId math = formula(rule.getMath(), rule, "an algebraic rule");
    if (math != no_node) model_.algebraic.push_back({.math = math, .place = place_of(rule)});
    return;
  }
  const std::string what = fmt::format("the rule of {}", rule.getVariable());
  Quantity* quantity = target(rule, rule.getVariable(), what);
  if (quantity == nullptr || !rule.isSetMath()) return;
  const NodeId node = formula(rule.getMath(), rule, what);
  if (quantity->assignment != no_node || quantity->rate != no_node)
    log_.add(place_of(rule), fmt::format("there are two rules for '{}'", rule.getVariable()));
  (rule.isRate() ? quantity->rate : quantity->assignment) = node;
}

ElementReader::Scope ElementReader::local_parameters(const ::Reaction& source) {
  Scope scope;
  const KineticLaw& law = *source.getKineticLaw();
  const auto add = [&](const Parameter& parameter) {
    if (!parameter.isSetValue())
      log_.add(place_of(parameter),
               fmt::format("the parameter '{}' of reaction '{}' has no value", parameter.getId(), source.getId()));
    scope[parameter.getId()] = model_.graph.constant(parameter.getValue());
  };
  if (source_.getLevel() < 3)
    for (unsigned i = 0; i < law.getNumParameters(); ++i) add(*law.getParameter(i));
  else
    for (unsigned i = 0; i < law.getNumLocalParameters(); ++i) add(*law.getLocalParameter(i));
  return scope;
}

void ElementReader::read_reaction(const ::Reaction& source, Reaction& reaction) {
  if (source.isSetFast() && source.getFast()) refuse(source, "fast reactions");
  const std::string what = fmt::format("the rate of reaction {}", source.getId());
  if (source.isSetKineticLaw() && source.getKineticLaw()->isSetMath())
    reaction.rate = formula(source.getKineticLaw()->getMath(), source, what, local_parameters(source));
  for (unsigned i = 0; i < source.getNumReactants(); ++i) read_participant(*source.getReactant(i), -1, what, reaction);
  for (unsigned i = 0; i < source.getNumProducts(); ++i) read_participant(*source.getProduct(i), 1, what, reaction);
}

void ElementReader::read_participant(const ::SpeciesReference& reference, double sign, const std::string& what,
                                     Reaction& reaction) {
  const int species = model_.find(reference.getSpecies());
  if (species < 0 || model_.quantities[species].kind != Quantity::Kind::species) {
    log_.add(place_of(reference),
             fmt::format("unknown species '{}' in reaction {}", reference.getSpecies().substr(0, 60), reaction.id));
    return;
  }
  expression::Graph& graph = model_.graph;
  const StoichiometryMath* written = reference.getStoichiometryMath();
  NodeId stoichiometry = graph.constant(stoichiometry_of(reference));
  if (written != nullptr && written->isSetMath())
    stoichiometry = formula(written->getMath(), reference, what);
  else if (reference.isSetId())
    stoichiometry = model_.quantities[model_.find(reference.getId())].symbol;
  if (stoichiometry == no_node) return;
  reaction.participants.push_back(
      {.quantity = species, .stoichiometry = sign < 0 ? graph.negate(stoichiometry) : stoichiometry});
}

void ElementReader::read_events() {
  for (unsigned i = 0; i < source_.getNumEvents(); ++i) read_event(*source_.getEvent(i));
}

void ElementReader::read_event(const ::Event& source) {
  const std::string what = fmt::format("event {}", source.isSetId() ? source.getId() : "without a name");
  if (!source.isSetTrigger() || !source.getTrigger()->isSetMath()) return;
  Event event{.id = source.getId(),
              .trigger = formula(source.getTrigger()->getMath(), source, "the trigger of " + what)};
  event.true_before = source_.getLevel() < 3 || source.getTrigger()->getInitialValue();
  event.persistent = source_.getLevel() < 3 || source.getTrigger()->getPersistent();
  event.values_from_trigger_time = !source.isSetUseValuesFromTriggerTime() || source.getUseValuesFromTriggerTime();
  read_delay_and_priority(source, what, event);
  for (unsigned i = 0; i < source.getNumEventAssignments(); ++i) {
    const EventAssignment& assignment = *source.getEventAssignment(i);
    const Quantity* quantity = target(assignment, assignment.getVariable(), what);
    if (quantity == nullptr || !assignment.isSetMath()) continue;
    if (quantity->assignment != no_node)
      log_.add(place_of(assignment), fmt::format("'{}' has an assignment rule; {} cannot set it", quantity->id, what));
    const NodeId value = formula(assignment.getMath(), assignment, what);
    event.set.push_back({static_cast<int>(quantity - model_.quantities.data()), value});
  }
  if (!event.set.empty()) model_.events.push_back(std::move(event));
}

void ElementReader::read_delay_and_priority(const ::Event& source, const std::string& what, Event& event) {
  if (source.isSetDelay() && source.getDelay()->isSetMath()) {
    event.delay = formula(source.getDelay()->getMath(), source, "the delay of " + what);
    if (event.delay != no_node && model_.graph.is_constant(event.delay, 0)) event.delay = no_node;
  }
  if (source.isSetPriority() && source.getPriority()->isSetMath())
    event.priority = formula(source.getPriority()->getMath(), source, "the priority of " + what);
}

void ElementReader::check_rates_of() {
  for (const auto& rate : model_.rates_of) {
    const int index = model_.find(model_.graph.symbol_name(rate.second));
    if (index < 0) {
      log_.add({1, 1}, fmt::format("rateOf('{}') does not name anything that has a value",
                                   model_.graph.symbol_name(rate.second)));
      continue;
    }
    const Quantity& quantity = model_.quantities[index];
    if (quantity.assignment != no_node)
      log_.add(quantity.place,
               fmt::format("rateOf() cannot be taken of '{}', which has an assignment rule", quantity.id));
    const bool is_concentration = quantity.kind == Quantity::Kind::species && !quantity.is_amount;
    if (is_concentration && model_.quantities[quantity.compartment].assignment != no_node)
      refuse(source_, "rateOf() of a concentration in a compartment with an assignment rule");
  }
}

}  // namespace salvo::formats::sbml
