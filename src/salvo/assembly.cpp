#include "salvo/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/words.hpp"
#include "expression/print.hpp"
#include "model/algebraic.hpp"
#include "model/delays.hpp"

namespace salvo {

using model::Experiment;
using model::Measurement;

Assembly::Assembly(const ProblemBuilder& builder)
    : from_(builder), problem_(builder.problem_), variables_(builder.variables_), issues_(builder.issues_) {
  problem_.graph = *builder.graph_;
  for (std::size_t i = 0; i < problem_.states.size(); ++i) states_[problem_.states[i].symbol] = static_cast<int>(i);
}

void Assembly::complain(std::string message, std::string hint) {
  issues_.push_back({.message = std::move(message), .hint = std::move(hint)});
}

int Assembly::state_of(NodeId symbol) const {
  const auto found = states_.find(symbol);
  return found == states_.end() ? -1 : found->second;
}

Result<model::Problem> Assembly::build() {
  if (problem_.states.empty()) complain("the problem has no state", "declare one: builder.state(\"x\")");
  if (problem_.observables.empty()) complain("the problem has no observable");
  put_equations();
  if (!from_.masses_.empty() && issues_.empty()) put_mass();
  if (!variables_.empty() || !from_.algebraic_.empty()) put_algebraic();
  put_histories();
  put_experiments();
  put_inputs();
  put_measurements();
  if (issues_.empty()) check_delays();
  if (!issues_.empty()) return issues_;
  return std::move(problem_);
}

void Assembly::put_equations() {
  for (const auto& [symbol, derivative] : from_.equations_) {
    const int state = state_of(symbol);
    if (state < 0)
      complain(fmt::format("'{}' has an equation, but is no state", expression::print(problem_.graph, symbol)));
    else if (problem_.states[state].derivative != expression::no_node)
      complain(fmt::format("the state '{}' has two equations", problem_.states[state].id));
    else
      problem_.states[state].derivative = derivative;
  }
  for (const model::State& state : problem_.states)
    if (state.derivative == expression::no_node) complain(fmt::format("the state '{}' has no equation", state.id));
}

void Assembly::put_histories() {
  for (const auto& [symbol, before] : from_.histories_) {
    const auto found = std::find_if(problem_.states.begin(), problem_.states.end(),
                                    [&](const model::State& each) { return each.symbol == symbol; });
    const int state = found == problem_.states.end() ? -1 : static_cast<int>(found - problem_.states.begin());
    if (state < 0) {
      complain(fmt::format("'{}' has a history, but is no state", expression::print(problem_.graph, symbol)));
      continue;
    }
    problem_.states[state].history = before;
    for (const NodeId used : expression::symbols_of(problem_.graph, {&before, 1}))
      if (state_of(used) >= 0)
        complain(fmt::format("the history of '{}' uses the state '{}'", problem_.states[state].id,
                             problem_.graph.symbol_name(used)),
                 "it may use time and parameters");
  }
}

void Assembly::check_delays() {
  for (const NodeId delay : model::delays_of(problem_)) {
    const NodeId by = problem_.graph[delay].arguments[1];
    for (const NodeId symbol : expression::symbols_of(problem_.graph, {&by, 1})) {
      const bool is_parameter =
          std::any_of(problem_.parameters.begin(), problem_.parameters.end(),
                      [&](const model::Parameter& parameter) { return parameter.symbol == symbol; });
      if (is_parameter) continue;
      issues_.push_back({.kind = Issue::Kind::unsupported,
                         .message = fmt::format("a delay depends on '{}'", problem_.graph.symbol_name(symbol)),
                         .hint = "delays are numbers, or formulas of parameters"});
      return;
    }
  }
  for (const model::DelayFault& fault : model::delay_faults(problem_)) complain(fault.message, fault.hint);
}

void Assembly::put_algebraic() {
  model::AlgebraicSystem system;
  for (const ProblemBuilder::Variable& variable : variables_)
    system.variables.push_back({variable.id, variable.symbol});
  system.equations = zero_rows_;
  system.unwritten = unwritten_;
  system.written = written_;
  expression::Substitution put(problem_.graph, in_place_.first, in_place_.second);
  for (const auto& [symbol, zero] : from_.algebraic_) {
    const auto own = std::find_if(system.variables.begin(), system.variables.end(),
                                  [&](const auto& variable) { return variable.symbol == symbol; });
    if (own == system.variables.end())
      return complain(
          fmt::format("'{}' has an algebraic equation, but is no variable", expression::print(problem_.graph, symbol)),
          "declare it: builder.variable(\"z\")");
    system.equations.push_back({.g = put({&zero, 1}).front(),
                                .text = expression::print(problem_.graph, zero),
                                .own = static_cast<int>(own - system.variables.begin())});
  }
  const auto solution = model::solve_algebraic(problem_.graph, system, problem_.states, problem_.time);
  for (const model::AlgebraicTrouble& trouble : solution.troubles)
    issues_.push_back({.kind = trouble.kind, .message = trouble.message, .hint = trouble.hint});
  if (!issues_.empty()) return;
  std::vector<NodeId> symbols, values;
  for (const model::AlgebraicVariable& found : solution.found) {
    const auto& [id, symbol] = system.variables[found.variable];
    model::AlgebraicEquation equation{
        .variable = id, .text = system.equations[found.equation].text, .divisor = found.divisor};
    if (found.value != expression::no_node) {
      symbols.push_back(symbol);
      values.push_back(found.value);
      problem_.definitions.push_back({.id = id, .formula = found.value});
    } else {
      equation.state = static_cast<int>(problem_.states.size());
      problem_.states.push_back({.id = id, .symbol = symbol, .derivative = found.g, .is_algebraic = true});
      near_.push_back(variables_[found.variable].near);
    }
    problem_.algebraic.push_back(std::move(equation));
  }
  put_in(symbols, values);
}

// Formulas take the places of the variables that they solve for.
void Assembly::put_in(const std::vector<NodeId>& symbols, const std::vector<NodeId>& values) {
  expression::Substitution put(problem_.graph, symbols, values);
  const auto replace = [&](NodeId& node) { node = put({&node, 1}).front(); };
  for (model::State& state : problem_.states) replace(state.derivative);
  for (model::Definition& definition : problem_.definitions)
    if (std::find(values.begin(), values.end(), definition.formula) == values.end()) replace(definition.formula);
  for (model::Observable& observable : problem_.observables) {
    replace(observable.formula);
    if (observable.noise) replace(*observable.noise);
  }
  for (model::Constraint& constraint : problem_.constraints) replace(constraint.formula);
  for (model::Event& event : problem_.events) {
    if (auto* when = std::get_if<model::When>(&event.trigger)) replace(when->condition);
    for (model::Assignment& assignment : event.assignments) replace(assignment.value);
  }
}

void Assembly::put_experiments() {
  std::vector<ProblemBuilder::DraftExperiment> drafts = from_.experiments_;
  if (drafts.empty()) drafts.push_back({.experiment = {.id = model::default_experiment}, .initial = {}});
  std::set<std::string> ids;
  for (const ProblemBuilder::DraftExperiment& draft : drafts) {
    Experiment experiment = draft.experiment;
    if (!ids.insert(experiment.id).second) complain(fmt::format("two experiments are named '{}'", experiment.id));
    for (const auto& [parameter, value] : experiment.overrides)
      need_parameters_only(
          value, fmt::format("what the experiment '{}' sets {} to", experiment.id, problem_.parameters[parameter].id));
    put_initial(draft, experiment);
    problem_.experiments.push_back(std::move(experiment));
  }
}

void Assembly::put_initial(const ProblemBuilder::DraftExperiment& draft, Experiment& experiment) {
  std::vector<const model::Initial*> of_state(problem_.states.size(), nullptr);
  std::map<NodeId, const model::Initial*> given;
  const auto is_of_mass = [&](NodeId symbol) {
    return std::any_of(joined_.begin(), joined_.end(),
                       [&](const Joined& each) {
                         return std::any_of(each.parts.begin(), each.parts.end(),
                                            [&](const auto& part) { return part.first == symbol; });
                       }) ||
           std::any_of(variables_.begin() + std::ssize(from_.variables_), variables_.end(),
                       [&](const auto& variable) { return variable.symbol == symbol; });
  };
  for (const auto* list : {&from_.initial_, &draft.initial})
    for (const auto& [symbol, value] : *list) {
      const int state = state_of(symbol);
      given[symbol] = &value;
      if (state >= 0)
        of_state[state] = &value;
      else if (!is_of_mass(symbol))
        complain(fmt::format("'{}' has an initial value, but is no state", expression::print(problem_.graph, symbol)));
    }
  const std::size_t issues = issues_.size();
  join_initial(given, of_state);
  if (issues_.size() > issues) return;
  const std::size_t differential = problem_.states.size() - near_.size();
  for (std::size_t i = 0; i < of_state.size(); ++i) {
    const std::string& id = problem_.states[i].id;
    if (problem_.states[i].is_algebraic) {
      experiment.initial.push_back(problem_.graph.constant(near_[i - differential]));
      continue;
    }
    if (of_state[i] == nullptr) {
      complain(fmt::format("the state '{}' has no initial value", id), "an Estimated{} is found by the fit");
      continue;
    }
    if (const auto* formula = std::get_if<NodeId>(of_state[i]))
      need_parameters_only(*formula, fmt::format("the initial value of {}", id));
    experiment.initial.push_back(*of_state[i]);
  }
}

void Assembly::put_inputs() {
  for (const ProblemBuilder::DraftInput& draft : from_.inputs_) {
    model::Input input = draft.input;
    for (const InputRows& rows : draft.tables)
      if (!rows.experiment.empty() && std::none_of(problem_.experiments.begin(), problem_.experiments.end(),
                                                   [&](const Experiment& e) { return e.id == rows.experiment; }))
        complain(fmt::format("the input '{}' has a table of '{}', which is no experiment", input.id, rows.experiment));
    if (!issues_.empty()) continue;
    std::vector<std::shared_ptr<const model::InputCurve>> curves;
    for (const InputRows& rows : draft.tables)
      curves.push_back(std::make_shared<model::InputCurve>(input.interpolation, rows.time, rows.value));
    for (const Experiment& experiment : problem_.experiments) {
      const auto is_its = [&](const InputRows& rows) {
        return rows.experiment.empty() || rows.experiment == experiment.id;
      };
      const auto its = std::find_if(draft.tables.begin(), draft.tables.end(), is_its);
      const auto count = std::count_if(draft.tables.begin(), draft.tables.end(), is_its);
      if (count == 1)
        input.of_experiment.push_back(curves[static_cast<std::size_t>(its - draft.tables.begin())]);
      else
        complain(fmt::format("the input '{}' has {} tables for the experiment '{}'", input.id, count, experiment.id),
                 "give it one for all, or one for each");
    }
    problem_.inputs.push_back(std::move(input));
  }
}

void Assembly::need_parameters_only(NodeId formula, const std::string& what) {
  for (const NodeId symbol : expression::symbols_of(problem_.graph, {&formula, 1}))
    if (symbol == problem_.time || state_of(symbol) >= 0)
      complain(fmt::format("{} depends on '{}', but may be made of parameters only", what,
                           problem_.graph.symbol_name(symbol)));
}

void Assembly::put_measurements() {
  std::map<std::string, int> observables, experiments;
  for (const model::Observable& each : problem_.observables)
    if (!observables.emplace(each.id, static_cast<int>(observables.size())).second)
      complain(fmt::format("two observables are named '{}'", each.id));
  for (const Experiment& each : problem_.experiments)
    experiments.emplace(each.id, static_cast<int>(experiments.size()));
  for (const ProblemBuilder::Measured& each : from_.measured_) {
    const auto observable = observables.find(each.observable);
    const bool is_only = each.experiment.empty() && experiments.size() == 1;
    const auto experiment = is_only ? experiments.begin() : experiments.find(each.experiment);
    if (observable == observables.end())
      complain(fmt::format("a measurement is of '{}', which is no observable", each.observable));
    else if (experiment == experiments.end())
      complain(each.experiment.empty() ? fmt::format("a measurement of '{}' names none of the {} experiments",
                                                     each.observable, experiments.size())
                                       : fmt::format("a measurement of '{}' belongs to '{}', which is no experiment",
                                                     each.observable, each.experiment));
    else {
      Measurement measurement = each.measurement;
      measurement.observable = observable->second;
      measurement.experiment = experiment->second;
      check_measurement(measurement, fmt::format("a measurement of '{}'", each.observable));
      (each.validation ? problem_.validation : problem_.measurements).push_back(measurement);
    }
  }
  if (problem_.measurements.empty() && issues_.empty()) complain("the problem has no measurements");
}

void Assembly::check_measurement(const Measurement& measurement, const std::string& what) {
  const model::Observable& observable = problem_.observables[measurement.observable];
  const double start = problem_.experiments[measurement.experiment].start;
  const bool is_log = observable.distribution == model::Distribution::log_normal ||
                      observable.distribution == model::Distribution::log_laplace;
  if (!std::isfinite(measurement.time) || !std::isfinite(measurement.value))
    complain(fmt::format("{} is not finite: {} at t = {}", what, measurement.value, measurement.time));
  else if (measurement.time < start)
    complain(fmt::format("{} at t = {} is before its experiment starts, at {}", what, measurement.time, start));
  else if (is_log && !(measurement.value > 0))
    complain(fmt::format("{} is {}, but its distribution is {}, which needs positive values", what, measurement.value,
                         model::to_string(observable.distribution)));
  if (measurement.sigma && !(*measurement.sigma > 0))
    complain(fmt::format("the sigma of {} must be positive, but is {}", what, *measurement.sigma));
  if (!measurement.sigma && !observable.noise)
    complain(fmt::format("{} at t = {} has no sigma, and its observable no noise", what, measurement.time),
             "observable(\"y\", x, {.noise = 0.1})");
}

}  // namespace salvo
