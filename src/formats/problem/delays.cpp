#include "formats/problem/delays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "expression/print.hpp"
#include "model/delays.hpp"

namespace salvo::formats {
namespace {

void add(IssueLog& log, Issue::Kind kind, Place place, std::string message, std::string hint) {
  log.add({.kind = kind,
           .file = log.file(),
           .line = place.line,
           .column = place.column,
           .message = std::move(message),
           .hint = std::move(hint)});
}

// Who writes x(1 + t) may have meant a product.
std::string or_a_product(const Draft& draft, const expression::DelayUse& use, std::string hint) {
  if (!use.is_call) return hint;
  return fmt::format("{}; for a product write {}*(...)", hint, draft.problem.graph.symbol_name(use.of));
}

// The parameter whose bounds are to blame; none: the file does not name it.
const Name* parameter_in(const Draft& draft, NodeId delay) {
  for (const NodeId symbol : expression::symbols_of(draft.problem.graph, {&delay, 1}))
    if (const Name* name = draft.find(draft.problem.graph.symbol_name(symbol));
        name != nullptr && name->kind == Name::Kind::parameter)
      return name;
  return nullptr;
}

void check_histories(Draft& draft) {
  const model::Problem& problem = draft.problem;
  const std::vector<int> delayed = model::delayed_states(problem);
  const bool rests = std::any_of(problem.experiments.begin(), problem.experiments.end(),
                                 [](const model::Experiment& each) { return each.equilibrate.has_value(); });
  for (int i = 0; i < static_cast<int>(problem.states.size()); ++i) {
    const model::State& state = problem.states[static_cast<std::size_t>(i)];
    const bool is_seen = std::binary_search(delayed.begin(), delayed.end(), i);
    const bool is_told = state.history != expression::no_node;
    const auto place = draft.history_places.find(i);
    const Place told_at = place == draft.history_places.end() ? Place{} : place->second;
    if (is_told && !is_seen)
      draft.warn(told_at, fmt::format("no formula looks at {} before the start: its history is not used", state.id));
    if (is_told && is_seen && rests)
      draft.warn(told_at, fmt::format("experiments that begin at rest have always been there: the history of {} is "
                                      "used in the others",
                                      state.id));
  }
}

}  // namespace

bool check_delay(Draft& draft, const ReadDelay& delay, const std::string& what, const Scope& scope, IssueLog& log,
                 Place place) {
  const auto refuse = [&](Issue::Kind kind, std::string message, std::string hint) {
    add(log, kind, place, std::move(message), or_a_product(draft, delay.use, std::move(hint)));
    return false;
  };
  const expression::Graph& graph = draft.problem.graph;
  if (!scope.delays)
    return refuse(Issue::Kind::invalid, fmt::format("earlier values cannot be used in {}", what),
                  "they may stand in equations, definitions, observables, and conditions and new values of events");
  const Traits of = what_it_uses(draft, delay.of);
  if (delay.use.is_call && !of.uses_states && !of.uses_time && !of.uses_inputs) {
    const std::string& name = graph.symbol_name(delay.use.of);
    add(log, Issue::Kind::invalid, place, fmt::format("there is no function '{}' in {}", name, what),
        fmt::format("for a product write {0}*(...); {0} does not change and has no earlier value", name));
    return false;
  }
  const Traits by = what_it_uses(draft, delay.by);
  const char* reason = by.uses_states ? "states" : by.uses_time ? "time" : by.uses_inputs ? "inputs" : nullptr;
  if (reason != nullptr)
    return refuse(Issue::Kind::unsupported, fmt::format("a delay in {} depends on {}", what, reason),
                  "delays are numbers, or formulas of parameters");
  const double value = graph[delay.by].value;
  if (!graph.is_constant(delay.by) || value > 0) return true;
  return refuse(Issue::Kind::invalid, fmt::format("a delay in {} is {}; it must be above 0", what, number_text(value)),
                value == 0 ? "without a delay, write the formula alone" : "what comes later is not known");
}

void check_delays(Draft& draft) {
  for (const model::DelayFault& fault : model::delay_faults(draft.problem)) {
    const Name* name = fault.state < 0 ? parameter_in(draft, fault.delay)
                                       : draft.find(draft.problem.states[static_cast<std::size_t>(fault.state)].id);
    draft.log.add(name != nullptr ? name->place : Place{1, 1}, fault.message, fault.hint);
  }
  check_histories(draft);
}

}  // namespace salvo::formats
