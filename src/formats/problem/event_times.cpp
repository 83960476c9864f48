#include "formats/problem/event_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/words.hpp"
#include "formats/dates.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/known_values.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

constexpr int most_repetitions = 100'000;
// Part of a period by which rounding may carry the last time beyond `until`.
constexpr double rounding = 1e-9;

// A formula of parameters, or a date, which is no difference of numbers.
std::optional<NodeId> read_time_or_formula(Draft& draft, const Node& node, const std::string& what) {
  if (!node.is_text() || !parse_date(node.text)) return read_formula(draft, node, what, only_parameters());
  const std::optional<double> time = read_time(draft, node, what);
  if (!time) return std::nullopt;
  return draft.problem.graph.constant(*time);
}

std::optional<EventTimes> read_at(Draft& draft, const Node& at) {
  EventTimes times{.text = "at "};
  std::vector<const Node*> items;
  if (at.kind == Node::Kind::sequence)
    for (const Node& item : at.items) items.push_back(&item);
  else
    items.push_back(&at);
  if (items.empty())
    draft.log.add(at.place, "the list of times of an event is empty", "write, for example, at: [0, 12]");
  for (const Node* item : items) {
    const auto time = read_time_or_formula(draft, *item, "the time of an event");
    if (!time) continue;
    times.text += (times.listed.empty() ? "" : ", ") + item->text;
    times.listed.push_back({.time = *time, .place = item->place});
  }
  if (items.empty() || times.listed.size() != items.size()) return std::nullopt;
  return times;
}

std::optional<EventTimes> read_every(Draft& draft, const Node& event, const Node& every) {
  EventTimes times{.text = "every " + every.text};
  Repetition& repetition = times.repetition.emplace();
  repetition.place = every.place;
  bool all_read = true;
  const auto read = [&](const Node* node, const std::string& what, NodeId& formula) {
    if (node == nullptr) return;
    const auto found = read_time_or_formula(draft, *node, what);
    all_read = all_read && found;
    formula = found.value_or(expression::no_node);
  };
  read(&every, "'every' of an event", repetition.every);
  read(event.find("from"), "'from' of an event", repetition.from);
  read(event.find("until"), "'until' of an event", repetition.until);
  if (const Node* until = event.find("until")) repetition.until_place = until->place;
  if (!all_read) return std::nullopt;
  return times;
}

double last_measurement(const model::Problem& problem, int experiment) {
  double last = -std::numeric_limits<double>::infinity();
  for (const auto* list : {&problem.measurements, &problem.validation})
    for (const model::Measurement& measurement : *list)
      if (measurement.experiment == experiment && std::isfinite(measurement.time))
        last = std::max(last, measurement.time);
  return last;
}

std::optional<std::vector<NodeId>> repeated(Draft& draft, const Repetition& repetition, int experiment) {
  const model::Problem& problem = draft.problem;
  const KnownValues fixed(problem, experiment, KnownValues::Estimates::unknown);
  const KnownValues guessed(problem, experiment, KnownValues::Estimates::at_their_guess);
  const double start = problem.experiments[static_cast<std::size_t>(experiment)].start;
  const bool has_end = repetition.until != expression::no_node;
  const std::optional<double> every = fixed.of(repetition.every);
  const std::optional<double> until =
      has_end ? fixed.of(repetition.until) : std::optional(last_measurement(problem, experiment));
  if (!every || !until) {
    draft.log.add(every ? repetition.until_place : repetition.place,
                  fmt::format("'{}' of an event must be known beforehand", every ? "until" : "every"),
                  "list the times under 'at', for example at: [period, 2*period]");
    return std::nullopt;
  }
  if (!(*every > 0)) {
    draft.log.add(repetition.place,
                  fmt::format("'every' of an event must be positive, but is {}", number_text(*every)));
    return std::nullopt;
  }
  // An estimated beginning moves while times are counted once. Without an end there are enough of them for the earliest
  // beginning there can be; those after the last measurement change nothing.
  const bool is_fixed = repetition.from == expression::no_node || fixed.of(repetition.from);
  const double from = repetition.from != expression::no_node && (is_fixed || has_end)
                          ? guessed.of(repetition.from).value_or(start)
                          : start;
  if (has_end && from > *until) {
    draft.log.add(repetition.until_place,
                  fmt::format("an event ends at {} before it begins at {}", number_text(*until), number_text(from)));
    return std::nullopt;
  }
  const double count = std::floor((*until - from) / *every + rounding) + 1;
  if (count > most_repetitions) {
    draft.log.add(repetition.place, fmt::format("an event that acts {} times is not computed", amount_text(count)),
                  fmt::format("at most {} times; for something that never stops write a rate", most_repetitions));
    return std::nullopt;
  }
  expression::Graph& graph = draft.problem.graph;
  const NodeId first = repetition.from == expression::no_node ? graph.constant(start) : repetition.from;
  std::vector<NodeId> times;
  for (int k = 0; k < count; ++k) times.push_back(graph.add(first, graph.constant(k * *every)));
  return times;
}

}  // namespace

std::optional<EventTimes> read_event_times(Draft& draft, const Node& event) {
  if (const Node* at = event.find("at")) return read_at(draft, *at);
  return read_every(draft, event, *event.find("every"));
}

std::optional<std::vector<NodeId>> times_in_experiment(Draft& draft, const EventTimes& times, int experiment) {
  const model::Experiment& its = draft.problem.experiments[static_cast<std::size_t>(experiment)];
  std::optional<std::vector<NodeId>> nodes;
  if (times.repetition)
    nodes = repeated(draft, *times.repetition, experiment);
  else
    for (nodes.emplace(); const EventTimes::At& at : times.listed) nodes->push_back(at.time);
  if (!nodes) return std::nullopt;
  const KnownValues known(draft.problem, experiment, KnownValues::Estimates::unknown);
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    const std::optional<double> time = known.of((*nodes)[i]);
    if (!time || *time >= its.start) continue;
    draft.log.add(times.repetition ? times.repetition->place : times.listed[i].place,
                  fmt::format("an event at {} is before the start of experiment {}, {}", number_text(*time), its.id,
                              number_text(its.start)),
                  "nothing is computed before the start");
    return std::nullopt;
  }
  return nodes;
}

}  // namespace salvo::formats
