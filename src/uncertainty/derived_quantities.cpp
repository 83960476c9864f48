#include "uncertainty/derived_quantities.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expression/reach.hpp"

namespace salvo::uncertainty {
namespace {

using expression::Op;
using model::NodeId;

// Steady states that are measured have no quantities of their own.
std::vector<int> measured_experiments(const model::Problem& problem) {
  std::set<int> measured;
  for (const model::Measurement& m : problem.measurements)
    if (problem.experiments[m.experiment].initial_of < 0) measured.insert(m.experiment);
  return {measured.begin(), measured.end()};
}

NodeId value_in(const model::Experiment& experiment, int parameter) {
  for (const auto& [index, value] : experiment.overrides)
    if (index == parameter) return value;
  return expression::no_node;
}

bool is_same_in_all(const model::Problem& problem, NodeId formula, const std::vector<int>& experiments) {
  const std::vector<NodeId> symbols = expression::symbols_of(problem.graph, {&formula, 1});
  const auto is_used = [&](NodeId symbol) {
    return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
  };
  const model::Experiment& first = problem.experiments[experiments.front()];
  for (const int e : experiments) {
    const model::Experiment& other = problem.experiments[e];
    for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k)
      if (is_used(problem.parameters[k].symbol) && value_in(first, k) != value_in(other, k)) return false;
    for (std::size_t i = 0; i < problem.states.size(); ++i) {
      if (e == experiments.front() || problem.states[i].initial == expression::no_node) continue;
      if (is_used(problem.states[i].initial)) return false;
    }
  }
  return true;
}

// Positive nodes among those that a formula is made of; arguments come before what is made of them.
class Signs {
 public:
  explicit Signs(const model::Problem& problem) : graph_(problem.graph) {
    for (int k = 0; k < static_cast<int>(problem.parameters.size()); ++k) {
      const model::Parameter& parameter = problem.parameters[k];
      const auto* number = std::get_if<double>(&parameter.value);
      const bool shared = number != nullptr ? *number > 0 : is_kept(std::get<model::Estimated>(parameter.value));
      positive_[parameter.symbol] =
          std::all_of(problem.experiments.begin(), problem.experiments.end(), [&](const model::Experiment& experiment) {
            const NodeId own = value_in(experiment, k);
            return own == expression::no_node ? shared : graph_.is_constant(own) && graph_[own].value > 0;
          });
    }
  }

  bool is_positive(NodeId formula) {
    for (const NodeId id : expression::reached_from(graph_, {&formula, 1}, [](NodeId) { return false; }))
      positive_.try_emplace(id, is_made_positive(graph_[id]));
    return positive_.at(formula);
  }

 private:
  static bool is_kept(const model::Estimated& estimated) {
    return estimated.scale != model::Scale::lin || estimated.lower >= 0;
  }
  bool is_made_positive(const expression::Node& its) const {
    const auto is = [&](int argument) { return positive_.at(its.arguments[argument]); };
    switch (its.op) {
      case Op::constant: return its.value > 0;
      case Op::exp: return true;
      case Op::add:
      case Op::multiply:
      case Op::divide:
      case Op::minimum: return is(0) && is(1);
      case Op::maximum: return is(0) || is(1);
      case Op::power:
      case Op::sqrt: return is(0);
      default: return false;
    }
  }

  const expression::Graph& graph_;
  std::map<NodeId, bool> positive_;
};

}  // namespace

std::vector<DerivedQuantity> derived_quantities(const model::Problem& problem) {
  std::vector<DerivedQuantity> all;
  const std::vector<int> experiments = measured_experiments(problem);
  for (int k = 0; k < static_cast<int>(problem.derived.size()) && !experiments.empty(); ++k) {
    const model::Derived& derived = problem.derived[k];
    if (is_same_in_all(problem, derived.formula, experiments)) {
      all.push_back({.id = derived.id, .derived = k, .experiment = experiments.front()});
      continue;
    }
    for (const int e : experiments)
      all.push_back({.id = problem.experiments[e].id + ":" + derived.id,
                     .derived = k,
                     .experiment = e,
                     .is_same_everywhere = false});
  }
  return all;
}

void add_datum_of(const DerivedQuantity& quantity, model::Problem& problem) {
  std::vector<NodeId> from, to;
  for (const model::State& state : problem.states)
    if (state.initial != expression::no_node) from.push_back(state.initial), to.push_back(state.symbol);
  const model::Derived& derived = problem.derived[quantity.derived];
  const NodeId formula = expression::substitute(problem.graph, {&derived.formula, 1}, from, to)[0];
  problem.measurements.push_back({.experiment = quantity.experiment,
                                  .observable = static_cast<int>(problem.observables.size()),
                                  .time = problem.experiments[quantity.experiment].start,
                                  .sigma = 1.0,
                                  .before_events = true});
  problem.observables.push_back({.id = quantity.id, .formula = formula});
}

bool is_positive(const model::Problem& problem, NodeId formula) { return Signs(problem).is_positive(formula); }

}  // namespace salvo::uncertainty
