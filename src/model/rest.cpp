#include "model/rest.hpp"

#include <algorithm>

namespace salvo::model {
namespace {

void set_override(Experiment& experiment, int parameter, NodeId value) {
  std::erase_if(experiment.overrides, [&](const auto& set) { return set.first == parameter; });
  experiment.overrides.push_back({parameter, value});
}

void put_in_equations(Problem& problem, NodeId from, NodeId to) {
  const auto put = [&](NodeId& node) {
    if (node != expression::no_node) node = expression::substitute(problem.graph, {&node, 1}, {&from, 1}, {&to, 1})[0];
  };
  for (State& state : problem.states) put(state.derivative);
  for (Stencil& stencil : problem.cells.stencils)
    for (NodeId& derivative : stencil.derivatives) put(derivative);
}

void stop_time(Problem& problem) {
  const std::string id = "time at rest";  // no user can write such a name
  const NodeId at_rest = problem.graph.symbol(id);
  const int parameter = static_cast<int>(problem.parameters.size());
  problem.parameters.push_back({.id = id, .symbol = at_rest, .value = 0.0});
  put_in_equations(problem, problem.time, at_rest);
  for (Experiment& experiment : problem.experiments)
    set_override(experiment, parameter, problem.graph.constant(experiment.start));
}

// Inputs stand at their value at the start.
void stop_inputs(Problem& problem) {
  for (const Input& input : problem.inputs) {
    const std::string id = input.id + " at rest";  // no user can write such a name
    const NodeId at_rest = problem.graph.symbol(id);
    const int parameter = static_cast<int>(problem.parameters.size());
    problem.parameters.push_back({.id = id, .symbol = at_rest, .value = 0.0});
    put_in_equations(problem, input.symbol, at_rest);
    for (std::size_t e = 0; e < problem.experiments.size(); ++e) {
      Experiment& experiment = problem.experiments[e];
      const NodeId value = problem.graph.constant(input.of_experiment[e]->at(experiment.start));
      set_override(experiment, parameter, value);
      for (Initial& initial : experiment.initial)
        if (auto* formula = std::get_if<NodeId>(&initial))
          *formula = expression::substitute(problem.graph, {formula, 1}, {&input.symbol, 1}, {&value, 1})[0];
    }
  }
  problem.inputs.clear();
}

}  // namespace

bool Experiment::is_set_at_start(int state) const {
  return equilibrate && std::any_of(equilibrate->initial.begin(), equilibrate->initial.end(),
                                    [&](const auto& before) { return before.first == state; });
}

bool has_rest(const Problem& problem) {
  return std::any_of(problem.experiments.begin(), problem.experiments.end(),
                     [](const Experiment& experiment) { return experiment.equilibrate.has_value(); });
}

Problem resting_problem(const Problem& problem) {
  Problem out = problem;
  const auto acts_later = [&](const Event& event) {
    return !problem.petab || std::holds_alternative<AtTimes>(event.trigger);
  };
  std::erase_if(out.events, acts_later);
  out.observables.clear();
  out.constraints.clear();
  for (State& state : out.states) state.history = expression::no_node;
  for (Experiment& experiment : out.experiments) {
    if (!experiment.equilibrate) continue;
    const Equilibration rest = *experiment.equilibrate;
    for (const auto& [parameter, value] : rest.overrides) set_override(experiment, parameter, value);
    for (const auto& [state, value] : rest.initial) experiment.initial[static_cast<std::size_t>(state)] = value;
    if (rest.is_final) experiment.start = for_ever;
    experiment.equilibrate.reset();
  }
  if (out.events.empty()) stop_time(out);
  stop_inputs(out);
  return out;
}

}  // namespace salvo::model
