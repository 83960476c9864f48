#include "model/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <tuple>

#include "base/sha256.hpp"
#include "expression/print.hpp"

namespace salvo::model {
namespace {

std::string text_of(const Event& event, const expression::Graph& graph) {
  std::string text = "event";
  if (const auto* at = std::get_if<AtTimes>(&event.trigger))
    for (const NodeId time : at->times) text += fmt::format(" at {}", expression::print(graph, time));
  if (const auto* when = std::get_if<When>(&event.trigger))
    text += fmt::format(" when {}", expression::print(graph, when->condition));
  for (const Assignment& assignment : event.assignments)
    text += fmt::format(" {} = {}", assignment.state, expression::print(graph, assignment.value));
  for (const int experiment : event.experiments) text += fmt::format(" in {}", experiment);
  return text + "\n";
}

// The places of things when they are sorted by their names.
template <class Thing>
std::vector<int> ranks(const std::vector<Thing>& things) {
  std::vector<int> order(things.size()), rank(things.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return things[a].id < things[b].id; });
  for (int k = 0; k < static_cast<int>(order.size()); ++k) rank[order[k]] = k;
  return rank;
}

}  // namespace

std::string data_digest(const Problem& problem) {
  const std::vector<int> experiment = ranks(problem.experiments);
  const std::vector<int> observable = ranks(problem.observables);
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };  // any order will do
  const auto key = [&](int i) {
    const Measurement& m = problem.measurements[i];
    return std::tuple(experiment[m.experiment], observable[m.observable], bits(m.time), bits(m.value),
                      bits(m.sigma.value_or(0)), m.censored);
  };
  std::vector<int> order(problem.measurements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::string text;
  for (const int i : order) {
    const Measurement& m = problem.measurements[i];
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\n", problem.experiments[m.experiment].id,
                   problem.observables[m.observable].id, m.time, m.value, static_cast<int>(m.censored),
                   m.sigma.value_or(0));
  }
  return sha256(text);
}

std::string model_digest(const Problem& problem) {
  const expression::Graph& graph = problem.graph;
  std::string text;
  for (const State& state : problem.states)
    text += fmt::format("{}' = {}\n", state.id, expression::print(graph, state.derivative));
  for (const Observable& observable : problem.observables)
    text += fmt::format("{} = {} {} {} {}\n", observable.id, expression::print(graph, observable.formula),
                        observable.noise ? expression::print(graph, *observable.noise) : "",
                        to_string(observable.distribution), observable.shape);
  for (const Event& event : problem.events) text += text_of(event, graph);
  for (const Experiment& experiment : problem.experiments) {
    text += fmt::format("{} from {}", experiment.id, experiment.start);
    for (const auto& [parameter, value] : experiment.overrides)
      text += fmt::format(" {} = {}", problem.parameters[parameter].id, expression::print(graph, value));
    text += "\n";
  }
  return sha256(text);
}

}  // namespace salvo::model
