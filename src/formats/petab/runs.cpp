#include "formats/petab/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "formats/petab/words.hpp"

namespace salvo::formats::petab {
namespace {

using expression::no_node;
using Settings = std::vector<sbml::Setting>;

bool need(Draft& draft, const Table& table, std::initializer_list<const char*> names) {
  bool all = !table.files.empty();
  for (const char* name : names) {
    if (table.files.empty() || table.column(name) >= 0) continue;
    draft.log.add(
        {.file = table.files[0], .line = 1, .column = 1, .message = fmt::format("the column '{}' is missing", name)});
    all = false;
  }
  return all;
}

// What a condition sets must be a quantity that no rule determines; an Issue and -1 otherwise.
int target(Draft& draft, const std::string& id, const Table& table, const Row& row, int column) {
  const int index = draft.quantity(id);
  if (draft.parameter_ids.contains(id)) {
    draft.add(table, row, column, fmt::format("'{}' is in the parameter table; a condition cannot set it too", id));
  } else if (index < 0) {
    draft.add(table, row, column, fmt::format("a condition sets '{}', which is not in the model", id.substr(0, 60)));
  } else if (draft.model.quantities[index].assignment != no_node) {
    draft.add(table, row, column, fmt::format("'{}' has an assignment rule; a condition cannot set it", id));
  } else {
    return index;
  }
  return -1;
}

// --- version 1 -------------------------------------------------------------------------------------------------------

class WideConditions {
 public:
  explicit WideConditions(Draft& draft) : draft_(draft), table_(draft.conditions) {}

  Runs read() {
    Runs runs;
    if (!need(draft_, table_, {"conditionId"}) || !need(draft_, draft_.measurements, {"simulationConditionId"}))
      return runs;
    find_targets();
    for (const Row& row : table_.rows)
      if (!rows_.emplace(table_.text(row, table_.column("conditionId")), &row).second)
        draft_.add(table_, row, table_.column("conditionId"), "the condition is there twice");
    std::map<std::pair<std::string, std::string>, int> known;
    const Table& measurements = draft_.measurements;
    const int before = measurements.column("preequilibrationConditionId");
    const int simulated = measurements.column("simulationConditionId");
    for (const Row& row : measurements.rows) {
      const std::pair key{measurements.text(row, before), measurements.text(row, simulated)};
      const auto [place, is_new] = known.emplace(key, static_cast<int>(runs.all.size()));
      if (is_new) runs.all.push_back(run(row, before, simulated));
      runs.of_measurement.push_back(place->second);
    }
    name_apart(runs, known);
    return runs;
  }

 private:
  // A column that is not in the model is a parameter that only observables know.
  void find_targets() {
    for (int column = 0; column < static_cast<int>(table_.columns.size()); ++column) {
      const std::string& id = table_.columns[column];
      if (id == "conditionId" || id == "conditionName" || table_.rows.empty()) continue;
      if (draft_.quantity(id) < 0 && expression::is_name(id) && !draft_.parameter_ids.contains(id)) {
        draft_.model.places.emplace(id, static_cast<int>(draft_.model.quantities.size()));
        draft_.model.quantities.push_back({.id = id, .symbol = draft_.model.graph.symbol(id)});
      }
      const int index = target(draft_, id, table_, table_.rows[0], column);
      if (index >= 0) targets_.push_back({column, index});
    }
  }

  Settings settings(const Row& measurement, int column) {
    const std::string& id = draft_.measurements.text(measurement, column);
    const auto found = rows_.find(id);
    if (found == rows_.end()) {
      draft_.add(draft_.measurements, measurement, column, fmt::format("unknown condition '{}'", id.substr(0, 60)));
      return {};
    }
    Settings set;
    for (const auto& [its_column, index] : targets_) {
      const std::string& cell = table_.text(*found->second, its_column);
      if (is_missing(cell)) continue;
      const std::string what = fmt::format("'{}' of condition {}", table_.columns[its_column], id);
      const NodeId value = draft_.number_or_name(table_, *found->second, its_column, cell, what);
      if (value != no_node) set.push_back({index, value});
    }
    return set;
  }

  Run run(const Row& row, int before, int simulated) {
    Run out{.id = draft_.measurements.text(row, simulated)};
    if (!draft_.measurements.text(row, before).empty()) out.equilibrate = settings(row, before);
    out.periods.push_back({.time = 0, .set = settings(row, simulated)});
    return out;
  }

  // Two runs of the same condition differ in where they come from.
  static void name_apart(Runs& runs, const std::map<std::pair<std::string, std::string>, int>& known) {
    std::map<std::string, int> uses;
    for (const Run& run : runs.all) ++uses[run.id];
    for (const auto& [key, index] : known)
      if (uses[key.second] > 1 && !key.first.empty()) runs.all[index].id = key.first + "_" + key.second;
  }

  Draft& draft_;
  const Table& table_;
  std::map<std::string, const Row*> rows_;
  std::vector<std::pair<int, int>> targets_;  // column, quantity
};

// --- version 2 -------------------------------------------------------------------------------------------------------

class Experiments {
 public:
  explicit Experiments(Draft& draft) : draft_(draft) {}

  Runs read() {
    Runs runs;
    const bool good =
        (draft_.conditions.files.empty() ||
         need(draft_, draft_.conditions, {"conditionId", "targetId", "targetValue"})) &&
        (draft_.experiments.files.empty() || need(draft_, draft_.experiments, {"experimentId", "time", "conditionId"}));
    if (!good) return runs;
    read_conditions();
    read_experiments();
    std::map<std::string, int> known;
    const int column = draft_.measurements.column("experimentId");
    for (const Row& row : draft_.measurements.rows) {
      const std::string& id = draft_.measurements.text(row, column);
      const auto [place, is_new] = known.emplace(id, static_cast<int>(runs.all.size()));
      if (is_new) runs.all.push_back(run(id, row, column));
      runs.of_measurement.push_back(place->second);
    }
    return runs;
  }

 private:
  void read_conditions() {
    const Table& table = draft_.conditions;
    const int target_column = table.column("targetId");
    const int value_column = table.column("targetValue");
    for (const Row& row : table.rows) {
      const std::string& id = table.text(row, table.column("conditionId"));
      const int index = target(draft_, table.text(row, target_column), table, row, target_column);
      const NodeId value = draft_.formula(table, row, value_column, fmt::format("condition {}", id));
      if (index >= 0 && value != no_node) conditions_[id].push_back({index, value});
    }
  }

  void read_experiments() {
    const Table& table = draft_.experiments;
    const int time_column = table.column("time");
    const int condition_column = table.column("conditionId");
    for (const Row& row : table.rows) {
      const std::string& id = table.text(row, table.column("experimentId"));
      const auto time = parse_number(table.text(row, time_column));
      if (!time || *time == std::numeric_limits<double>::infinity()) {
        draft_.add(table, row, time_column,
                   fmt::format("the time of a period must be a number or -inf, but is '{}'",
                               table.text(row, time_column).substr(0, 40)));
        continue;
      }
      Settings& set = periods_[id][*time];
      const std::string& condition = table.text(row, condition_column);
      const auto found = conditions_.find(condition);
      if (found != conditions_.end())
        add_changes(found->second, set, table, row, condition_column);
      else if (!condition.empty())
        draft_.add(table, row, condition_column, fmt::format("unknown condition '{}'", condition.substr(0, 60)));
    }
  }

  void add_changes(const Settings& more, Settings& set, const Table& table, const Row& row, int column) {
    for (const sbml::Setting& change : more) {
      const bool is_known = std::any_of(set.begin(), set.end(),
                                        [&](const sbml::Setting& other) { return other.quantity == change.quantity; });
      if (is_known)
        draft_.add(
            table, row, column,
            fmt::format("two conditions set '{}' at the same time", draft_.model.quantities[change.quantity].id));
      set.push_back(change);
    }
  }

  Run run(const std::string& id, const Row& measurement, int column) {
    Run out{.id = id.empty() ? model::default_experiment : id};
    const auto found = periods_.find(id);
    if (found == periods_.end() && !id.empty())
      draft_.add(draft_.measurements, measurement, column, fmt::format("unknown experiment '{}'", id.substr(0, 60)));
    if (found != periods_.end())
      for (const auto& [time, set] : found->second) {
        if (std::isinf(time))
          out.equilibrate = set;
        else
          out.periods.push_back({time, set});
      }
    if (out.periods.empty()) out.periods.push_back({});
    return out;
  }

  Draft& draft_;
  std::map<std::string, Settings> conditions_;
  std::map<std::string, std::map<double, Settings>> periods_;
};

// A run that comes to rest as this one does in the end.
Run resting(Draft& draft, const Run& run, int index) {
  if (run.periods.size() > 1) draft.refuse("a steady state (time inf) after later periods");
  if (!draft.model.events.empty() && (run.equilibrate || run.periods.front().time != 0))
    draft.refuse(
        "a steady state (time inf) of a model with events after a preequilibration, or from another time than 0 on");
  Settings set = run.equilibrate && draft.version == Version::two ? *run.equilibrate : Settings{};  // it lasts
  set.insert(set.end(), run.periods.front().set.begin(), run.periods.front().set.end());
  return {.id = run.id + "_at_rest",
          .equilibrate = std::move(set),
          .periods = {run.periods.front()},
          .at_rest = true,
          .rest_of = run.equilibrate ? index : -1};
}

void part_steady_states(Draft& draft, Runs& runs) {
  const Table& table = draft.measurements;
  const int time = table.column("time");
  std::map<int, int> rest_of;
  for (std::size_t i = 0; i < runs.of_measurement.size(); ++i) {
    if (parse_number(table.text(table.rows[i], time)) != std::numeric_limits<double>::infinity()) continue;
    const auto [place, is_new] = rest_of.emplace(runs.of_measurement[i], static_cast<int>(runs.all.size()));
    if (is_new) runs.all.push_back(resting(draft, runs.all[runs.of_measurement[i]], runs.of_measurement[i]));
    runs.of_measurement[i] = place->second;
  }
}

}  // namespace

Runs read_runs(Draft& draft) {
  Runs runs = draft.version == Version::one ? WideConditions(draft).read() : Experiments(draft).read();
  part_steady_states(draft, runs);
  return runs;
}

}  // namespace salvo::formats::petab
