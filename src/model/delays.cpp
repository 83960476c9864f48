#include "model/delays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"
#include "model/algebraic.hpp"
#include "model/range.hpp"
#include "model/rest.hpp"

namespace salvo::model {
namespace {

using expression::Graph;
using expression::Op;

// Most problems have none, and a look at every node finds that out.
bool holds_delays(const Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id)
    if (graph[id].op == Op::delay) return true;
  return false;
}

std::vector<NodeId> formulas_with_a_past(const Problem& problem) {
  std::vector<NodeId> all;
  for (const State& state : problem.states) all.push_back(state.derivative);
  for (const Field& field : problem.fields) all.push_back(field.derivative);
  for (const Observable& observable : problem.observables) all.push_back(observable.formula);
  for (const Event& event : problem.events) {
    if (const auto* when = std::get_if<When>(&event.trigger)) all.push_back(when->condition);
    for (const Assignment& assignment : event.assignments) all.push_back(assignment.value);
  }
  std::erase(all, expression::no_node);
  return all;
}

}  // namespace

std::vector<NodeId> delays_of(const Problem& problem) {
  std::vector<NodeId> delays;
  if (!holds_delays(problem.graph)) return delays;
  for (const NodeId id :
       expression::reached_from(problem.graph, formulas_with_a_past(problem), [](NodeId) { return false; }))
    if (problem.graph[id].op == Op::delay) delays.push_back(id);
  return delays;
}

bool has_delays(const Problem& problem) { return !delays_of(problem).empty(); }

bool knows_delays(const Integrator& integrator) {
  return std::holds_alternative<AutoIntegrator>(integrator) || std::holds_alternative<Dopri5>(integrator) ||
         std::holds_alternative<Rk4>(integrator) || std::holds_alternative<Rodas5p>(integrator);
}

std::vector<int> delayed_states(const Problem& problem) {
  std::vector<NodeId> what;
  for (const NodeId delay : delays_of(problem)) what.push_back(problem.graph[delay].arguments[0]);
  const std::vector<NodeId> symbols = expression::symbols_of(problem.graph, what);
  std::vector<int> states;
  for (int i = 0; i < static_cast<int>(problem.states.size()); ++i)
    if (std::find(symbols.begin(), symbols.end(), problem.states[static_cast<std::size_t>(i)].symbol) != symbols.end())
      states.push_back(i);
  return states;
}

namespace {

// Of a parameter that is estimated and has a guess above 0.
std::string hint_for(const Problem& problem, NodeId delay) {
  for (const Parameter& parameter : problem.parameters) {
    const auto* estimated = std::get_if<Estimated>(&parameter.value);
    if (parameter.symbol != delay || estimated == nullptr || estimated->guess.value_or(0) <= 0) continue;
    const double guess = *estimated->guess;
    const double upper = std::isfinite(estimated->upper) ? estimated->upper : 10 * guess;
    return fmt::format("give it a lower bound above 0: {}: {{guess: {}, bounds: [{}, {}]}}", parameter.id,
                       number_text(guess), number_text(guess / 10), number_text(upper));
  }
  return problem.graph.is_symbol(delay) ? "a delay must be above 0"
                                        : "give its parameters bounds that keep the delay above 0";
}

// The first experiment in which it may be 0.
std::optional<DelayFault> fault_of(const Problem& problem, NodeId delay) {
  for (const Experiment& experiment : problem.experiments) {
    const Range range = range_of(problem, experiment, delay);
    if (range.lower > 0) continue;
    const std::string text = expression::print(problem.graph, delay);
    const std::string where = problem.experiments.size() > 1 ? fmt::format(" in experiment {}", experiment.id) : "";
    return DelayFault{
        .delay = delay,
        .message = range.lower == range.upper
                       ? fmt::format("the delay {} is {}{}", text, number_text(range.lower), where)
                       : fmt::format("{} is a delay{}, and its bounds do not keep it above 0", text, where),
        .hint = hint_for(problem, delay)};
  }
  return std::nullopt;
}

// What such a state was before is where it rested, which an initial value would take the place of.
void add_states_set_after_rest(const Problem& problem, std::vector<DelayFault>& faults) {
  for (const int state : delayed_states(problem))
    for (const Experiment& experiment : problem.experiments) {
      if (!experiment.is_set_at_start(state)) continue;
      const std::string& id = problem.states[static_cast<std::size_t>(state)].id;
      faults.push_back({.state = state,
                        .message = fmt::format("the experiment '{}' begins at rest and sets {}, and formulas look at "
                                               "what {} was before",
                                               experiment.id, id, id),
                        .hint = fmt::format("set it by an event at the start: {{at: {}, set: {{{}: ...}}}}",
                                            number_text(experiment.start), id)});
      break;
    }
}

// Where an algebraic variable begins is a root, and where it is looked for is no history.
void add_roots_without_history(const Problem& problem, std::vector<DelayFault>& faults) {
  const auto begins_unrested = [](const Experiment& experiment) { return !experiment.equilibrate; };
  if (std::none_of(problem.experiments.begin(), problem.experiments.end(), begins_unrested)) return;
  for (const int i : delayed_states(problem)) {
    const State& state = problem.states[static_cast<std::size_t>(i)];
    if (!state.is_algebraic || state.history != expression::no_node) continue;
    faults.push_back(
        {.state = i,
         .message = fmt::format("formulas look at earlier values of {}, an algebraic variable, and nothing "
                                "says what it was before the start",
                                state.id),
         .hint = fmt::format("say so in the section 'history': {}: a number or a formula", state.id)});
  }
}

}  // namespace

std::vector<DelayFault> delay_faults(const Problem& problem) {
  std::vector<NodeId> by;
  for (const NodeId delay : delays_of(problem)) by.push_back(problem.graph[delay].arguments[1]);
  std::sort(by.begin(), by.end());
  by.erase(std::unique(by.begin(), by.end()), by.end());
  std::vector<DelayFault> faults;
  if (!by.empty() && !problem.fields.empty()) {
    faults.push_back({.delay = by.front(),
                      .message = "earlier values cannot stand beside fields",
                      .hint = "write the delay as a chain of ordinary states, or leave out one of the two"});
    return faults;
  }
  for (const NodeId delay : by)
    if (auto fault = fault_of(problem, delay)) faults.push_back(*std::move(fault));
  if (has_rest(problem)) add_states_set_after_rest(problem, faults);
  add_roots_without_history(problem, faults);
  return faults;
}

}  // namespace salvo::model
