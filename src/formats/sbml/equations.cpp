#include "formats/sbml/equations.hpp"

#include <set>

#include "formats/sbml/delays.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::Graph;
using expression::no_node;

class EquationMaker {
 public:
  EquationMaker(Model& model, const std::vector<int>& jumping)
      : model_(model), graph_(model.graph), jumps_(model.quantities.size(), false) {
    turnover_.resize(model.quantities.size(), no_node);
    for (const Quantity& quantity : model.quantities) names_.insert(quantity.id);
    for (const int index : jumping) jumps_[index] = true;
    for (const Event& event : model.events)
      for (const Setting& setting : event.set) jumps_[setting.quantity] = true;
  }

  Equations make() {
    sum_up_reactions();
    for (int i = 0; i < static_cast<int>(model_.quantities.size()); ++i) place(i);
    for (const Reaction& reaction : model_.reactions)
      out_.formulas.push_back({reaction.symbol, reaction.rate == no_node ? graph_.constant(0) : reaction.rate});
    for (const auto& [symbol, of] : model_.rates_of) out_.formulas.push_back({symbol, rate_of(of)});
    for (const Staircase& staircase : model_.staircases) out_.formulas.push_back({staircase.symbol, staircase.value});
    return std::move(out_);
  }

 private:
  const Quantity& compartment_of(const Quantity& species) const { return model_.quantities[species.compartment]; }
  static bool has_rule(const Quantity& quantity) {
    return quantity.assignment != no_node || quantity.rate != no_node || quantity.algebraic != no_node;
  }

  // What all reactions together do to the amount of each species: the sum of stoichiometry times rate.
  void sum_up_reactions() {
    for (const Reaction& reaction : model_.reactions) {
      if (reaction.rate == no_node) continue;
      for (const auto& [index, stoichiometry] : reaction.participants) {
        const Quantity& species = model_.quantities[index];
        if (species.constant || species.boundary || has_rule(species)) continue;
        const NodeId part = graph_.multiply(stoichiometry, reaction.symbol);
        turnover_[index] = turnover_[index] == no_node ? part : graph_.add(turnover_[index], part);
      }
    }
    for (std::size_t i = 0; i < turnover_.size(); ++i)
      if (turnover_[i] != no_node && model_.quantities[i].conversion != no_node)
        turnover_[i] = graph_.multiply(turnover_[i], model_.quantities[i].conversion);
  }

  void place(int index) {
    const Quantity& quantity = model_.quantities[index];
    if (quantity.assignment != no_node) {
      out_.formulas.push_back({quantity.symbol, quantity.assignment});
    } else if (quantity.algebraic != no_node) {
      out_.states.push_back({.quantity = index,
                             .id = quantity.id,
                             .symbol = quantity.symbol,
                             .derivative = quantity.algebraic,
                             .is_algebraic = true});
    } else if (quantity.rate != no_node) {
      out_.states.push_back(
          {.quantity = index, .id = quantity.id, .symbol = quantity.symbol, .derivative = quantity.rate});
    } else if (quantity.kind == Quantity::Kind::species && !quantity.is_amount &&
               (has_rule(compartment_of(quantity)) || jumps_[quantity.compartment])) {
      place_by_amount(index);
    } else if (turnover_[index] != no_node) {
      const NodeId slope =
          quantity.is_amount ? turnover_[index] : graph_.divide(turnover_[index], compartment_of(quantity).symbol);
      out_.states.push_back({.quantity = index, .id = quantity.id, .symbol = quantity.symbol, .derivative = slope});
    } else if (jumps_[index] || has_changing_past(model_, quantity)) {
      out_.states.push_back(
          {.quantity = index, .id = quantity.id, .symbol = quantity.symbol, .derivative = graph_.constant(0)});
    } else {
      out_.standing.push_back(index);
    }
  }

  // Where the compartment grows or shrinks, only the amount obeys the reactions alone; that of a constant species
  // stands.
  void place_by_amount(int index) {
    const Quantity& species = model_.quantities[index];
    std::string id = species.id + "_amount";
    while (!names_.insert(id).second) id += '_';
    const NodeId amount = graph_.symbol(id);
    out_.states.push_back({.quantity = index,
                           .id = id,
                           .symbol = amount,
                           .derivative = turnover_[index] == no_node ? graph_.constant(0) : turnover_[index],
                           .is_amount = true});
    out_.formulas.push_back({species.symbol, graph_.divide(amount, compartment_of(species).symbol)});
  }

  // dx/dt of what a symbol stands for; c = n/V changes by (dn/dt - c dV/dt) / V.
  NodeId rate_of(NodeId symbol) {
    for (const ModelState& state : out_.states) {
      const Quantity& quantity = model_.quantities[state.quantity];
      if (quantity.symbol != symbol) continue;
      if (!state.is_amount) return state.derivative;
      const NodeId size = compartment_of(quantity).symbol;
      return graph_.divide(graph_.subtract(state.derivative, graph_.multiply(symbol, rate_of(size))), size);
    }
    return graph_.constant(0);
  }

  Model& model_;
  Graph& graph_;
  Equations out_;
  std::vector<NodeId> turnover_;  // by quantity
  std::vector<bool> jumps_;       // by quantity
  std::set<std::string> names_;
};

// What the file itself says that a quantity is at the start.
NodeId stated_value(Model& model, const Quantity& quantity) {
  if (quantity.assignment != no_node) return quantity.assignment;
  if (quantity.initial_assignment != no_node) return quantity.initial_assignment;
  if (!quantity.value) return no_node;
  const NodeId value = model.graph.constant(*quantity.value);
  if (quantity.kind != Quantity::Kind::species || quantity.value_is_amount == quantity.is_amount) return value;
  const NodeId size = model.quantities[quantity.compartment].symbol;
  return quantity.value_is_amount ? model.graph.divide(value, size) : model.graph.multiply(value, size);
}

}  // namespace

Equations make_equations(Model& model, const std::vector<int>& jumping) { return EquationMaker(model, jumping).make(); }

namespace {

// What a state becomes whose quantity is set. An event that sets a concentration and its volume at once sets the
// amount, by the volume before; a change of conditions states what there is after it.
NodeId as_set(expression::Graph& graph, const ModelState& state, const Quantity& quantity, NodeId own, NodeId size,
              NodeId new_size, Keep keep) {
  const bool resizes = new_size != no_node && !quantity.is_amount;
  if (state.is_amount) return graph.multiply(own, resizes && keep == Keep::concentrations ? new_size : size);
  if (resizes && keep == Keep::amounts) return graph.multiply(own, graph.divide(size, new_size));
  return own;
}

}  // namespace

std::vector<std::pair<int, NodeId>> jump(Model& model, const Equations& equations, const std::vector<Setting>& set,
                                         Keep keep) {
  expression::Graph& graph = model.graph;
  const auto new_value = [&](int quantity) {
    for (const Setting& setting : set)
      if (setting.quantity == quantity) return setting.value;
    return no_node;
  };
  std::vector<std::pair<int, NodeId>> out;
  for (int i = 0; i < static_cast<int>(equations.states.size()); ++i) {
    const ModelState& state = equations.states[i];
    const Quantity& quantity = model.quantities[state.quantity];
    const NodeId own = new_value(state.quantity);
    const bool is_species = quantity.kind == Quantity::Kind::species;
    const NodeId size = is_species ? model.quantities[quantity.compartment].symbol : no_node;
    const NodeId new_size = is_species ? new_value(quantity.compartment) : no_node;
    if (own != no_node) {
      out.push_back({i, as_set(graph, state, quantity, own, size, new_size, keep)});
    } else if (new_size != no_node && state.is_amount && keep == Keep::concentrations) {
      out.push_back({i, graph.multiply(state.symbol, graph.divide(new_size, size))});
    } else if (new_size != no_node && !state.is_amount && !quantity.is_amount && keep == Keep::amounts) {
      out.push_back({i, graph.multiply(state.symbol, graph.divide(size, new_size))});
    }
  }
  return out;
}

InitialValues initial_values(Model& model, const Equations& equations, const std::vector<Setting>& set,
                             std::optional<double> start) {
  Resolver resolver(model.graph);
  for (const Quantity& quantity : model.quantities)
    if (const NodeId value = stated_value(model, quantity); value != no_node) resolver.define(quantity.symbol, value);
  for (const Formula& formula : equations.formulas)
    if (!resolver.defines(formula.symbol)) resolver.define(formula.symbol, formula.node);
  for (const ModelState& state : equations.states)
    if (state.is_amount) {
      const Quantity& species = model.quantities[state.quantity];
      resolver.define(state.symbol, model.graph.multiply(species.symbol, model.quantities[species.compartment].symbol));
    }
  if (start) resolver.define(model.time, model.graph.constant(*start));
  for (const Setting& setting : set) resolver.define(model.quantities[setting.quantity].symbol, setting.value);

  InitialValues out;
  const auto value_of = [&](NodeId node) {
    const NodeId value = resolver.resolve(node);
    if (value == no_node && out.trouble.empty())
      out.trouble = "the initial value of '" + model.graph.symbol_name(resolver.cycle()) + "' depends on itself";
    return value;
  };
  for (const Quantity& quantity : model.quantities) out.quantities.push_back(value_of(quantity.symbol));
  for (const ModelState& state : equations.states) {
    const NodeId value = out.quantities[state.quantity];
    if (!out.trouble.empty()) break;
    if (!state.is_amount) {
      out.states.push_back(value);
      continue;
    }
    const NodeId size = out.quantities[model.quantities[state.quantity].compartment];
    out.states.push_back(model.graph.multiply(value, size));
  }
  return out;
}

}  // namespace salvo::formats::sbml
