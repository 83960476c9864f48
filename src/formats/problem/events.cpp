#include <fmt/format.h>

#include <algorithm>

#include "expression/reach.hpp"
#include "formats/problem/algebraic.hpp"
#include "formats/problem/event_times.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using expression::Op;
using model::Assignment;
using model::Event;
using yaml::Node;

constexpr const char* example_of_an_event = "write {at: 5, set: {x1: x1 + 1}}";

// --- what it changes -----------------------------------------------------------------------------------------------

// `set` gives states new values, `add` adds to them.
void read_assignments(Draft& draft, const Node& map, const std::string& option, std::vector<Assignment>& assignments) {
  if (!is_map(draft, map, fmt::format("'{}' of an event", option))) return;
  expression::Graph& graph = draft.problem.graph;
  for (const yaml::Entry& entry : map.entries) {
    const std::string& id = entry.key.text;
    const Name* name = draft.find(id);
    const bool is_state = draft.is_differential(name);
    if (!is_state && draft.all_names_known)
      draft.log.add(entry.key.place, fmt::format("'{}' in an event is not a state", id),
                    name == nullptr ? hint_for_unknown(id, draft.names_of(Name::Kind::state))
                    : algebraic_equation_of(draft, id) != nullptr
                        ? "its algebraic equation determines it; change a state that stands there"
                        : "an event changes states; give what it should change the equation 0");
    const auto value =
        read_formula(draft, entry.value, fmt::format("the new value of {} in an event", id), everything_and_the_past());
    if (!is_state || !value) continue;
    const auto is_same = [&](const Assignment& other) { return other.state == name->index; };
    if (std::any_of(assignments.begin(), assignments.end(), is_same))
      draft.log.add(entry.key.place, fmt::format("an event changes '{}' twice, by 'set' and by 'add'", id),
                    "keep one of them");
    const NodeId before = draft.problem.states[static_cast<std::size_t>(name->index)].symbol;
    assignments.push_back({.state = name->index, .value = option == "add" ? graph.add(before, *value) : *value});
  }
}

// --- when it acts --------------------------------------------------------------------------------------------------

// Does it say x == ... of something that moves? That is true for an instant at most.
bool compares_moving_things_for_equality(const Draft& draft, NodeId condition) {
  const expression::Graph& graph = draft.problem.graph;
  const auto moves = [&](NodeId symbol) {
    const Name* name = draft.find(graph.symbol_name(symbol));
    return symbol == draft.problem.time ||
           (name != nullptr && (name->kind == Name::Kind::state || name->kind == Name::Kind::input));
  };
  for (const NodeId id : expression::reached_from(graph, {&condition, 1}, [](NodeId) { return false; })) {
    if (graph[id].op != Op::equal && graph[id].op != Op::not_equal) continue;
    const std::vector<NodeId> symbols = expression::symbols_of(graph, {&id, 1});
    if (std::any_of(symbols.begin(), symbols.end(), moves)) return true;
  }
  return false;
}

std::optional<model::When> read_condition(Draft& draft, const Node& when) {
  const auto condition = read_formula(draft, when, "the condition of an event", everything_and_the_past());
  if (!condition) return std::nullopt;
  const expression::Graph& graph = draft.problem.graph;
  if (graph.is_constant(*condition))
    draft.log.add(when.place, "the condition of an event is always the same, so that it never turns true",
                  "write, for example, when: x1 > 3");
  else if (!expression::is_truth_value(graph[*condition].op))
    draft.log.add(when.place, "the condition of an event must compare two formulas", "write, for example, x1 > 3");
  else if (compares_moving_things_for_equality(draft, *condition))
    draft.log.add(when.place, "the condition of an event compares a moving quantity by == or !=",
                  "it is equal for an instant at most; write, for example, x1 >= 3");
  else
    return model::When{*condition};
  return std::nullopt;
}

// One of `at`, `every` and `when`.
bool has_one_trigger(Draft& draft, const Node& node) {
  int triggers = 0;
  for (const char* option : {"at", "every", "when"}) triggers += node.find(option) != nullptr ? 1 : 0;
  if (triggers != 1) draft.log.add(node.place, "an event needs either 'at', 'every' or 'when'", example_of_an_event);
  for (const char* option : {"from", "until"})
    if (const Node* value = node.find(option); value != nullptr && node.find("every") == nullptr)
      draft.log.add(value->place, fmt::format("'{}' of an event belongs to 'every'", option),
                    "write, for example, {every: 12, from: 0, until: 96, ...}");
  return triggers == 1;
}

// --- one event -----------------------------------------------------------------------------------------------------

// The event acts at its times in each experiment; experiments with the same times share one event.
void place_in_time(Draft& draft, const Node& node, const EventTimes& times, const Event& event) {
  const int experiments = static_cast<int>(draft.problem.experiments.size());
  struct Group {
    std::vector<NodeId> times{};
    std::vector<int> experiments{};
  };
  std::vector<Group> groups;
  for (int e = 0; e < experiments; ++e) {
    if (!event.acts_in(e)) continue;
    const auto found = times_in_experiment(draft, times, e);
    if (!found) return;
    if (found->empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.times == *found; });
    if (group == groups.end()) group = groups.insert(group, {.times = *found});
    group->experiments.push_back(e);
  }
  for (Group& group : groups) {
    Event timed = event;
    const bool is_all = static_cast<int>(group.experiments.size()) == experiments;
    timed.trigger = model::AtTimes{std::move(group.times)};
    timed.experiments = is_all ? std::vector<int>{} : std::move(group.experiments);
    draft.events.push_back({.place = node.place, .event = std::move(timed)});
  }
}

void read_event(Draft& draft, const Node& node, std::vector<int> experiments) {
  if (node.kind == Node::Kind::broken) return;
  if (node.kind != Node::Kind::map) {
    draft.log.add(node.place, fmt::format("an event must be a map, but is {}", kind_in_words(node)),
                  example_of_an_event);
    return;
  }
  check_options(draft, node, "an event",
                std::vector<std::string>{"at", "every", "from", "until", "when", "set", "add"});
  Event event{.experiments = std::move(experiments)};
  for (const char* option : {"set", "add"})
    if (const Node* map = node.find(option)) read_assignments(draft, *map, option, event.assignments);
  if (node.find("set") == nullptr && node.find("add") == nullptr)
    draft.log.add(node.place, "an event needs 'set' or 'add'", example_of_an_event);
  if (!has_one_trigger(draft, node)) return;
  if (const Node* when = node.find("when")) {
    const auto condition = read_condition(draft, *when);
    if (!condition) return;
    event.trigger = *condition;
    event.text = "when " + when->text;
    draft.events.push_back({.place = node.place, .event = std::move(event)});
  } else if (const auto times = read_event_times(draft, node)) {
    event.text = times->text;
    place_in_time(draft, node, *times, event);
  }
}

void read_list(Draft& draft, const Node& section, const std::string& what, const std::vector<int>& experiments) {
  if (!is_list(draft, section, what)) return;
  for (const Node& item : section.items) read_event(draft, item, experiments);
}

}  // namespace

void read_events(Draft& draft, const Node& root) {
  if (const Node* section = root.find("events")) read_list(draft, *section, "the section 'events'", {});
  if (const Node* experiments = root.find("experiments"))
    for (int e = 0; e < static_cast<int>(experiments->entries.size()); ++e) {
      const yaml::Entry& experiment = experiments->entries[static_cast<std::size_t>(e)];
      if (const Node* its = experiment.value.find("events"))
        read_list(draft, *its, fmt::format("'events' of experiment {}", experiment.key.text), {e});
    }
  const auto is_earlier = [](const PlacedEvent& a, const PlacedEvent& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  };
  std::stable_sort(draft.events.begin(), draft.events.end(), is_earlier);
  for (PlacedEvent& placed : draft.events) draft.problem.events.push_back(std::move(placed.event));
}

}  // namespace salvo::formats
