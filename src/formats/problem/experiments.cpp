#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Experiment;
using yaml::Node;

std::string hint_for_target(const Draft& draft, const std::string& id, const Name* name) {
  if (name == nullptr) return hint_for_unknown(id, draft.names_of(Name::Kind::parameter));
  if (name->kind == Name::Kind::state) return "initial values of states belong under 'initial' of the experiment";
  return "only parameters can be set; make it one with a plain number under 'parameters'";
}

using Overrides = std::vector<std::pair<int, NodeId>>;

void read_overrides(Draft& draft, const Node& set, const Experiment& experiment, Overrides& overrides) {
  if (!is_map(draft, set, fmt::format("'set' of experiment {}", experiment.id))) return;
  for (const yaml::Entry& entry : set.entries) {
    const std::string& id = entry.key.text;
    const Name* name = draft.find(id);
    if (name == nullptr || name->kind != Name::Kind::parameter) {
      draft.log.add(entry.key.place, fmt::format("'{}' in experiment {} is not a parameter", id, experiment.id),
                    hint_for_target(draft, id, name));
      continue;
    }
    const std::string what = fmt::format("the value of {} in experiment {}", id, experiment.id);
    if (const auto value = read_formula(draft, entry.value, what, only_parameters()))
      overrides.push_back({name->index, *value});
  }
}

// States that the experiment's own `initial` names are set after it has come to rest; where they begin is said by
// `initial` of `equilibrate`, or of the file.
void read_equilibration(Draft& draft, const Node& node, const Node* own_initial, const Experiment& defaults,
                        Experiment& experiment) {
  const std::string what = fmt::format("'equilibrate' of experiment {}", experiment.id);
  model::Equilibration& rest = experiment.equilibrate.emplace();
  if (!is_map(draft, node, what)) return;
  check_options(draft, node, what, std::vector<std::string>{"set", "initial"});
  if (const Node* set = node.find("set")) read_overrides(draft, *set, experiment, rest.overrides);
  std::vector<model::Initial> begin = defaults.initial;
  if (const Node* initial = node.find("initial")) begin = read_initial(draft, *initial, std::move(begin));
  const std::vector<model::Initial> own = std::exchange(experiment.initial, begin);
  if (own_initial == nullptr) return;
  for (const yaml::Entry& entry : own_initial->entries) {
    const Name* name = draft.find(entry.key.text);
    if (!draft.is_differential(name)) continue;
    experiment.initial[static_cast<std::size_t>(name->index)] = own[static_cast<std::size_t>(name->index)];
    if (const auto* known = std::get_if<NodeId>(&begin[static_cast<std::size_t>(name->index)]))
      rest.initial.push_back({name->index, *known});
    else
      draft.log.add(entry.key.place,
                    fmt::format("{} is set after experiment {} has come to rest, but nothing says where it begins",
                                entry.key.text, experiment.id),
                    fmt::format("give {} a known value in the section 'initial', or in 'initial' of 'equilibrate'",
                                entry.key.text));
  }
}

bool says_start(const Node& map) {
  const Node* start = map.find("start");
  return start != nullptr && start->kind != Node::Kind::null;
}

Experiment read_experiment(Draft& draft, const yaml::Entry& entry, const Experiment& defaults) {
  Experiment experiment = defaults;
  experiment.id = entry.key.text;
  const std::string what = fmt::format("experiment {}", experiment.id);
  if (!is_map(draft, entry.value, what)) return experiment;
  check_options(draft, entry.value, what, std::vector<std::string>{"set", "initial", "start", "events", "equilibrate"});
  if (const Node* set = entry.value.find("set")) read_overrides(draft, *set, experiment, experiment.overrides);
  const Node* initial = entry.value.find("initial");
  if (initial != nullptr) experiment.initial = read_initial(draft, *initial, std::move(experiment.initial));
  if (const Node* rest = entry.value.find("equilibrate"))
    read_equilibration(draft, *rest, initial, defaults, experiment);
  if (const Node* start = entry.value.find("start"))
    if (const auto time = read_time(draft, *start, "the start of " + what)) experiment.start = *time;
  return experiment;
}

}  // namespace

namespace {

bool is_for_nonmem(const Node& source) {
  const Node* format = source.find("format");
  return format != nullptr && format->text == "nonmem";
}

// NONMEM begins with nothing in any compartment; elsewhere what is not stated is estimated.
std::vector<model::Initial> default_initial(Draft& draft, const Node& root) {
  std::vector<model::Initial> initial = estimated_initial(draft);
  const Node* data = root.find("data");
  if (data == nullptr) return initial;
  const bool begins_empty = is_for_nonmem(*data) || std::any_of(data->items.begin(), data->items.end(), is_for_nonmem);
  if (begins_empty) std::fill(initial.begin(), initial.end(), model::Initial(draft.problem.graph.constant(0)));
  return initial;
}

}  // namespace

void read_experiments(Draft& draft, const Node& root) {
  Experiment defaults{.id = model::default_experiment, .initial = default_initial(draft, root)};
  const bool is_stated = says_start(root);
  if (is_stated)
    if (const auto time = read_time(draft, *root.find("start"), "'start'")) defaults.start = *time;
  if (const Node* initial = root.find("initial"))
    defaults.initial = read_initial(draft, *initial, std::move(defaults.initial));
  const Node* section = root.find("experiments");
  if (section != nullptr && is_map(draft, *section, "the section 'experiments'"))
    for (const yaml::Entry& entry : section->entries) {
      draft.problem.experiments.push_back(read_experiment(draft, entry, defaults));
      draft.start_is_stated.push_back(is_stated || says_start(entry.value));
    }
  if (!draft.problem.experiments.empty()) return;
  draft.problem.experiments.push_back(std::move(defaults));
  draft.start_is_stated.push_back(is_stated);
}

}  // namespace salvo::formats
