#include "model/digest.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::string data_digest(const Problem& problem) {
  std::vector<std::string> lines;
  lines.reserve(problem.measurements.size());
  for (const Measurement& m : problem.measurements)
    lines.push_back(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", problem.experiments[m.experiment].id,
                                problem.observables[m.observable].id, m.time, m.value, static_cast<int>(m.censored),
                                m.sigma ? fmt::format("{}", *m.sigma) : ""));
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
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
