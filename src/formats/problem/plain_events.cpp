#include "formats/problem/plain_events.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/words.hpp"
#include "model/rest.hpp"

namespace salvo::formats {
namespace {

using expression::no_node;
using model::Event;

double priority_of(const expression::Graph& graph, const Event& event) {
  const bool is_number = event.priority != no_node && graph.is_constant(event.priority);
  return is_number ? graph[event.priority].value : -std::numeric_limits<double>::infinity();
}

std::vector<std::string> losses(const model::Problem& problem) {
  std::vector<std::string> lost;
  const auto any = [&](const auto& is_so) { return std::any_of(problem.events.begin(), problem.events.end(), is_so); };
  const auto is_formula = [&](const Event& event) {
    return event.priority != no_node && !problem.graph.is_constant(event.priority);
  };
  const auto is_cancelled = [](const Event& event) {
    const auto* when = std::get_if<model::When>(&event.trigger);
    return when != nullptr && !when->is_persistent;
  };
  if (any(is_formula))
    lost.push_back("priorities of events that are formulas; events at the same time act in the order of the file");
  const auto has_condition = [](const Event& event) { return std::holds_alternative<model::When>(event.trigger); };
  if (model::has_rest(problem) && any(has_condition))
    lost.push_back("events act only after an experiment has come to rest, not before");
  if (problem.events.size() > 1 && any(is_cancelled))
    lost.push_back("an event acts also where another one at the same time has made its condition false again");
  return lost;
}

// Where the condition holds at the start, the states take their new values there; otherwise they keep their own.
std::vector<Event> acting_at_start(model::Problem& problem, const Event& event) {
  const expression::NodeId condition = std::get<model::When>(event.trigger).condition;
  std::map<double, std::vector<int>> starts;
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
    if (event.acts_in(e)) starts[problem.experiments[static_cast<std::size_t>(e)].start].push_back(e);
  std::vector<Event> all;
  for (const auto& [start, experiments] : starts) {
    Event at{.trigger = model::AtTimes{{problem.graph.constant(start)}},
             .experiments = starts.size() == 1 ? event.experiments : experiments,
             .text = "at " + number_text(start)};
    for (const auto& [state, value] : event.assignments) {
      const expression::NodeId own = problem.states[static_cast<std::size_t>(state)].symbol;
      at.assignments.push_back({state, problem.graph.make(expression::Op::select, condition, value, own)});
    }
    all.push_back(std::move(at));
  }
  return all;
}

}  // namespace

void make_events_plain(model::Problem& problem, std::vector<std::string>& lost) {
  for (std::string& sentence : losses(problem)) lost.push_back(std::move(sentence));
  std::vector<Event> events = std::move(problem.events);
  std::stable_sort(events.begin(), events.end(), [&](const Event& a, const Event& b) {
    return priority_of(problem.graph, a) > priority_of(problem.graph, b);
  });
  problem.events.clear();
  for (Event& event : events) {
    const auto* when = std::get_if<model::When>(&event.trigger);
    if (when != nullptr && when->false_before_start)
      for (Event& at : acting_at_start(problem, event)) problem.events.push_back(std::move(at));
    problem.events.push_back(std::move(event));
  }
}

}  // namespace salvo::formats
