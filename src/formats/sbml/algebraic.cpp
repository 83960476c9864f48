#include "formats/sbml/algebraic.hpp"

#include <algorithm>

#include "expression/print.hpp"
#include "formats/sbml/resolver.hpp"
#include "model/algebraic.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::no_node;

std::vector<int> eligible_quantities(const Model& model, const std::vector<int>& set) {
  std::vector<bool> is_free(model.quantities.size());
  for (std::size_t i = 0; i < model.quantities.size(); ++i) {
    const Quantity& quantity = model.quantities[i];
    is_free[i] = !quantity.constant && quantity.assignment == no_node && quantity.rate == no_node;
  }
  for (const Reaction& reaction : model.reactions)
    for (const Participant& participant : reaction.participants)
      if (!model.quantities[participant.quantity].boundary) is_free[participant.quantity] = false;
  for (const Event& event : model.events)
    for (const Setting& setting : event.set) is_free[setting.quantity] = false;
  for (const int quantity : set) is_free[quantity] = false;
  std::vector<int> eligible;
  for (std::size_t i = 0; i < is_free.size(); ++i)
    if (is_free[i]) eligible.push_back(static_cast<int>(i));
  // A species on the boundary is mostly given from outside.
  std::stable_partition(eligible.begin(), eligible.end(), [&](int i) { return !model.quantities[i].boundary; });
  return eligible;
}

// The rules with assignments and rates of reactions put in, which may hide what they are to be solved for.
model::AlgebraicSystem system_of(Model& model, const std::vector<int>& eligible) {
  Resolver resolver(model.graph);
  for (const Quantity& quantity : model.quantities)
    if (quantity.assignment != no_node) resolver.define(quantity.symbol, quantity.assignment);
  for (const Reaction& reaction : model.reactions)
    if (reaction.rate != no_node) resolver.define(reaction.symbol, reaction.rate);
  model::AlgebraicSystem system;
  for (const int index : eligible)
    system.variables.push_back({model.quantities[index].id, model.quantities[index].symbol});
  for (const AlgebraicRule& rule : model.algebraic) {
    const NodeId resolved = resolver.resolve(rule.math);
    system.equations.push_back({.g = resolved == no_node ? rule.math : resolved,  // a circle is told later
                                .text = expression::print(model.graph, rule.math)});
  }
  return system;
}

}  // namespace

Issues solve_algebraic_rules(Model& model, const std::string& file, const std::vector<int>& set) {
  if (model.algebraic.empty()) return {};
  const std::vector<int> eligible = eligible_quantities(model, set);
  const model::AlgebraicSystem system = system_of(model, eligible);
  const model::AlgebraicSolution solution = model::solve_algebraic(model.graph, system, {}, model.time, false);
  Issues issues;
  for (const model::AlgebraicTrouble& trouble : solution.troubles) {
    const Place place = trouble.equation >= 0 ? model.algebraic[trouble.equation].place
                                              : model.quantities[eligible[trouble.variable]].place;
    issues.push_back({.kind = trouble.kind,
                      .file = file,
                      .line = place.line,
                      .column = place.column,
                      .message = trouble.message,
                      .hint = trouble.hint});
  }
  for (const model::AlgebraicVariable& found : solution.found) {
    AlgebraicRule& rule = model.algebraic[found.equation];
    rule.quantity = eligible[found.variable];
    rule.divisor = found.divisor;
    Quantity& quantity = model.quantities[rule.quantity];
    (found.value != no_node ? quantity.assignment : quantity.algebraic) =
        found.value != no_node ? found.value : found.g;
  }
  return issues;
}

}  // namespace salvo::formats::sbml
