#include <fmt/format.h>

#include "base/words.hpp"
#include "formats/problem/estimated.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/series.hpp"
#include "formats/problem/values.hpp"
#include "model/curve_formula.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

constexpr const char* ways_to_write_it =
    "write a number, a formula of t and parameters, {data: before.csv, column: n}, or {guess: 1}";

// A constant that is estimated is a parameter of its own.
std::optional<NodeId> estimated_history(Draft& draft, const Node& node, const std::string& state) {
  model::Problem& problem = draft.problem;
  const std::string id = "history_" + state;
  if (draft.find(id) != nullptr) {
    draft.log.add(node.place, fmt::format("the history of {} is estimated as '{}', a name that is taken", state, id),
                  fmt::format("write {}: {}, if that is meant", state, id));
    return std::nullopt;
  }
  const auto estimated = read_estimated(draft, node, id, Guess::needed);
  if (!estimated) return std::nullopt;
  if (const auto fixed = fixed_by_bounds(draft, node, id, *estimated)) return problem.graph.constant(*fixed);
  const NodeId symbol = problem.graph.symbol(id);
  problem.parameters.push_back({.id = id, .symbol = symbol, .value = *estimated});
  return symbol;
}

std::optional<NodeId> measured_history(Draft& draft, const Node& node, const std::string& state) {
  const std::string what = fmt::format("the history of {}", state);
  check_options(draft, node, what, std::vector<std::string>{"data", "time", "column", "interpolation"});
  const SeriesTable table = read_series(draft, node, what, state, model::Interpolation::cubic);
  if (table.of_experiment.empty()) return std::nullopt;
  if (table.of_experiment.size() > 1) {
    draft.log.add({.kind = Issue::Kind::unsupported,
                   .file = draft.file.name,
                   .line = table.name->place.line,
                   .column = table.name->place.column,
                   .message = fmt::format("{} differs between experiments", what),
                   .hint = "a history holds in all of them; make it a formula of parameters that experiments set"});
    return std::nullopt;
  }
  const Series& series = table.of_experiment.front();
  const model::InputCurve curve(table.interpolation, series.time, series.value);
  return model::formula_of(draft.problem.graph, curve, draft.problem.time);
}

std::optional<NodeId> read_history_of(Draft& draft, const Node& node, const std::string& state) {
  const std::string what = fmt::format("the history of {}", state);
  if (node.kind == Node::Kind::null) {
    draft.log.add(node.place, fmt::format("{} is missing", what), ways_to_write_it);
    return std::nullopt;
  }
  if (node.kind != Node::Kind::map)
    return read_formula(draft, node, what, {.states = false, .time = true, .inputs = false});
  if (node.find("data") != nullptr) return measured_history(draft, node, state);
  return estimated_history(draft, node, state);
}

std::string hint_for_no_state(const Draft& draft, const std::string& id) {
  const Name* name = draft.find(id);
  if (name != nullptr && name->kind == Name::Kind::definition)
    return fmt::format("{} is a formula: say what the states were that it is made of", id);
  return hint_for_unknown(id, draft.names_of(Name::Kind::state));
}

}  // namespace

void read_history(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'history'")) return;
  for (const yaml::Entry& entry : section.entries) {
    const std::string& id = entry.key.text;
    const Name* name = draft.find(id);
    if (name == nullptr || name->kind != Name::Kind::state) {
      draft.log.add(entry.key.place, fmt::format("'{}' in 'history' is not a state", id), hint_for_no_state(draft, id));
      continue;
    }
    const auto formula = read_history_of(draft, entry.value, id);
    if (!formula) continue;
    draft.problem.states[static_cast<std::size_t>(name->index)].history = *formula;
    draft.history_places.emplace(name->index, entry.key.place);
  }
}

}  // namespace salvo::formats
