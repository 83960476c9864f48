#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.hpp"
#include "formats/csv/table.hpp"
#include "formats/dates.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/known_values.hpp"
#include "formats/problem/named_file.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/time_column.hpp"
#include "formats/problem/values.hpp"
#include "model/infusion.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;
using expression::no_node;
using yaml::Node;

const std::vector<std::string> known_columns{"time", "state", "amount", "experiment", "duration"};

// What holds for all doses of a table, or for those into one state.
struct PerState {
  std::vector<NodeId> of_state{};  // none where nothing is said
};

struct Dose {
  int state = 0;
  NodeId time = no_node;
  NodeId amount = no_node;
  NodeId duration = no_node;  // none: all at once
  std::vector<int> experiments{};
  std::string text{};  // "a dose into gut at 12"
};

std::optional<int> find_state(const Draft& draft, const std::string& id) {
  const Name* name = draft.find(id);
  if (!draft.is_differential(name)) return std::nullopt;
  return name->index;
}

PerState read_per_state(Draft& draft, const Node* node, const std::string& what) {
  PerState out{std::vector<NodeId>(draft.problem.states.size(), no_node)};
  if (node == nullptr) return out;
  if (node->kind != Node::Kind::map) {
    const auto formula = read_formula(draft, *node, what, only_parameters());
    if (formula) std::fill(out.of_state.begin(), out.of_state.end(), *formula);
    return out;
  }
  for (const yaml::Entry& entry : node->entries) {
    const auto state = find_state(draft, entry.key.text);
    if (!state)
      draft.log.add(entry.key.place, fmt::format("'{}' in {} is not a state", entry.key.text, what),
                    hint_for_unknown(entry.key.text, draft.names_of(Name::Kind::state)));
    const auto formula = read_formula(draft, entry.value, what, only_parameters());
    if (state && formula) out.of_state[static_cast<std::size_t>(*state)] = *formula;
  }
  return out;
}

// --- the table -----------------------------------------------------------------------------------------------------

class DoseReader {
 public:
  // `time_scale`: what times and durations that are no dates are multiplied by.
  DoseReader(Draft& draft, const csv::Table& table, double time_scale, IssueLog& log)
      : draft_(draft), table_(table), time_scale_(time_scale), log_(log) {}

  std::vector<Dose> read() {
    if (!check_header()) return {};
    for (const Row& row : table_.rows) read_row(row);
    if (table_.rows.empty()) log_.add(table_.header[0].place, "the table holds no doses", "add a row for each dose");
    return std::move(found_);
  }

 private:
  bool check_header() {
    bool good = true;
    for (const char* needed : {"time", "state", "amount"})
      if (!table_.column(needed)) {
        log_.add(table_.header[0].place, fmt::format("the column '{}' is missing", needed),
                 "a table of doses has the columns time,state,amount and, where there are, experiment,duration");
        good = false;
      }
    for (const Cell& cell : table_.header)
      if (good && std::find(known_columns.begin(), known_columns.end(), cell.text) == known_columns.end())
        log_.add(cell.place, fmt::format("unknown column '{}'", cell.text), hint_for_unknown(cell.text, known_columns));
    return good;
  }

  const Cell* cell(const Row& row, const char* column) const {
    const auto at = table_.column(column);
    return at && !row[*at].text.empty() && row[*at].text != "NA" ? &row[*at] : nullptr;
  }

  std::optional<NodeId> formula(const Row& row, const char* column) {
    const std::string what = fmt::format("the {} of a dose", column);
    const Cell* its = cell(row, column);
    if (its == nullptr) {
      log_.add(row[*table_.column(column)].place, fmt::format("the {} is missing in this row", column));
      return std::nullopt;
    }
    const auto place_of = [&](int at) { return Place{its->place.line, its->place.column + at - 1}; };
    return read_formula(draft_, its->text, what, only_parameters(), log_, place_of);
  }

  std::optional<NodeId> scaled(std::optional<NodeId> time) {
    expression::Graph& graph = draft_.problem.graph;
    if (!time || time_scale_ == 1) return time;
    if (graph.is_constant(*time)) return graph.constant(scaled_time(graph[*time].value, time_scale_));
    return graph.multiply(graph.constant(time_scale_), *time);
  }

  // A formula of parameters, or a date, which is no difference of numbers.
  std::optional<NodeId> read_time_of(const Row& row) {
    const Cell& its = row[*table_.column("time")];
    const std::optional<double> date = parse_date(its.text);
    if (!date) return scaled(formula(row, "time"));
    if (draft_.calendar) return draft_.problem.graph.constant(time_of(*draft_.calendar, *date));
    if (reported_.insert("date").second)
      log_.add(its.place, fmt::format("the times are dates, such as '{}'", its.text),
               fmt::format("write in the problem file how they are counted, as in time: {{unit: day, from: {}}}",
                           its.text.substr(0, 10)));
    return std::nullopt;
  }

  void read_row(const Row& row) {
    const std::optional<NodeId> time = read_time_of(row);
    const std::optional<NodeId> amount = formula(row, "amount");
    const std::optional<int> state = read_state(row);
    const std::optional<std::vector<int>> experiments = read_experiments(row);
    NodeId duration = no_node;
    if (const Cell* its = cell(row, "duration")) {
      const auto read = scaled(formula(row, "duration"));
      if (!read || !check_duration(*its, *read, experiments)) return;
      if (!draft_.problem.graph.is_constant(*read, 0)) duration = *read;
    }
    if (!time || !amount || !state || !experiments) return;
    if (!check_start(*cell(row, "time"), *time, *experiments)) return;
    found_.push_back({.state = *state,
                      .time = *time,
                      .amount = *amount,
                      .duration = duration,
                      .experiments = *experiments,
                      .text = fmt::format("a dose into {} at {}", cell(row, "state")->text, cell(row, "time")->text)});
  }

  std::optional<int> read_state(const Row& row) {
    const Cell& its = row[*table_.column("state")];
    if (const auto state = find_state(draft_, its.text)) return state;
    if (draft_.all_names_known && reported_.insert(its.text).second)
      log_.add(its.place,
               its.text.empty() ? "the state is missing in this row"
                                : fmt::format("a dose into '{}', which is not a state", its.text),
               hint_for_unknown(its.text, draft_.names_of(Name::Kind::state)));
    return std::nullopt;
  }

  // None: all.
  std::optional<std::vector<int>> read_experiments(const Row& row) {
    const Cell* its = cell(row, "experiment");
    if (its == nullptr) return std::vector<int>{};
    std::vector<std::string> ids;
    for (std::size_t e = 0; e < draft_.problem.experiments.size(); ++e) {
      ids.push_back(draft_.problem.experiments[e].id);
      if (ids.back() == its->text) return std::vector<int>{static_cast<int>(e)};
    }
    if (draft_.all_experiments_known && reported_.insert("experiment " + its->text).second)
      log_.add(its->place, fmt::format("unknown experiment '{}'", its->text), hint_for_unknown(its->text, ids));
    return std::nullopt;
  }

  template <class Check>
  bool holds_everywhere(NodeId formula, const std::vector<int>& experiments, const Check& check) {
    for (int e = 0; e < static_cast<int>(draft_.problem.experiments.size()); ++e) {
      if (!experiments.empty() && std::find(experiments.begin(), experiments.end(), e) == experiments.end()) continue;
      const auto value = KnownValues(draft_.problem, e, KnownValues::Estimates::unknown).of(formula);
      if (value && !check(*value, draft_.problem.experiments[static_cast<std::size_t>(e)])) return false;
    }
    return true;
  }

  bool check_duration(const Cell& its, NodeId duration, const std::optional<std::vector<int>>& experiments) {
    if (draft_.problem.graph.is_constant(duration, 0)) return true;
    const auto is_good = [](double value, const model::Experiment&) { return value > 0; };
    if (holds_everywhere(duration, experiments.value_or(std::vector<int>{}), is_good)) return true;
    log_.add(its.place, fmt::format("the duration of a dose is {}; it must be positive", its.text),
             "leave it empty for a dose that is given all at once");
    return false;
  }

  bool check_start(const Cell& its, NodeId time, const std::vector<int>& experiments) {
    const auto is_good = [&](double value, const model::Experiment& experiment) {
      if (value >= experiment.start) return true;
      log_.add(its.place,
               fmt::format("a dose at {} is before the start of experiment {}, {}", number_text(value), experiment.id,
                           number_text(experiment.start)),
               "nothing is computed before the start");
      return false;
    };
    return holds_everywhere(time, experiments, is_good);
  }

  Draft& draft_;
  const csv::Table& table_;
  double time_scale_;
  IssueLog& log_;
  std::vector<Dose> found_;
  std::set<std::string> reported_;
};

// --- what becomes of them ------------------------------------------------------------------------------------------

// Equal doses into one state are one event with several times.
void add_bolus(Draft& draft, const Dose& dose, Place place, std::size_t first_event) {
  const NodeId before = draft.problem.states[static_cast<std::size_t>(dose.state)].symbol;
  const NodeId after = draft.problem.graph.add(before, dose.amount);
  for (std::size_t i = first_event; i < draft.events.size(); ++i) {
    model::Event& event = draft.events[i].event;
    const model::Assignment& its = event.assignments[0];
    if (its.state != dose.state || its.value != after || event.experiments != dose.experiments) continue;
    std::get<model::AtTimes>(event.trigger).times.push_back(dose.time);
    return;
  }
  draft.events.push_back({.place = place,
                          .event = {.trigger = model::AtTimes{{dose.time}},
                                    .assignments = {{.state = dose.state, .value = after}},
                                    .experiments = dose.experiments,
                                    .text = dose.text}});
}

// The doses of one table; `source` may say their bioavailability and lag.
void add_table(Draft& draft, const Node& source, const TextFile& file, const csv::Table& table, double time_scale,
               IssueLog& log) {
  const PerState available = read_per_state(draft, source.find("bioavailability"), "the bioavailability of doses");
  const PerState lag = read_per_state(draft, source.find("lag"), "the lag of doses");
  std::vector<Dose> doses;
  if (!table.header.empty()) doses = DoseReader(draft, table, time_scale, log).read();
  add_issues_of_file(draft, file, log);

  expression::Graph& graph = draft.problem.graph;
  std::vector<model::Infusion> infusions;
  const std::size_t first_event = draft.events.size();
  for (Dose& dose : doses) {
    const auto state = static_cast<std::size_t>(dose.state);
    if (available.of_state[state] != no_node) dose.amount = graph.multiply(available.of_state[state], dose.amount);
    if (lag.of_state[state] != no_node) dose.time = graph.add(dose.time, lag.of_state[state]);
    if (dose.duration == no_node)
      add_bolus(draft, dose, source.place, first_event);
    else
      infusions.push_back({.state = dose.state,
                           .amount = dose.amount,
                           .begin = dose.time,
                           .duration = dose.duration,
                           .experiments = dose.experiments});
  }
  if (!draft.log.empty() || !draft.data_issues.empty()) return;
  model::add_infusions(draft.problem, infusions);
  for (const model::Infusion& infusion : infusions)
    for (int e = 0; e < static_cast<int>(draft.is_infused.size()); ++e)
      if (infusion.acts_in(e)) draft.is_infused[static_cast<std::size_t>(e)] = true;
}

void read_table(Draft& draft, const Node& source) {
  const bool is_map = source.kind == Node::Kind::map;
  if (is_map)
    check_options(draft, source, "'doses'", std::vector<std::string>{"file", "time", "bioavailability", "lag"});
  const Node* name = is_map ? source.find("file") : &source;
  if (name == nullptr)
    draft.log.add(source.place, "'doses' names no file", "write {file: doses.csv, bioavailability: F, lag: tlag}");
  if (name == nullptr || !read_text(draft, *name, "'doses' (the name of a file)")) return;
  const std::optional<TextFile> file = read_named_file(draft, *name, "the table of doses");
  if (!file) return;
  TimeColumn time;
  if (const Node* node = source.find("time")) time = read_time_column(draft, *node, "'doses'");
  IssueLog log(file->name);
  csv::Table table = csv::read_table(*file, csv::style_for(*file), log);
  if (time.name != nullptr)
    if (const auto column = table.column(time.name->text)) table.header[*column].text = "time";
  if (const auto column = table.column("time");
      column && !table.rows.empty() && is_row_of_units(table.rows[0], *column)) {
    check_row_of_units(draft, table.rows[0][*column], time, log);
    table.rows.erase(table.rows.begin());
  }
  add_table(draft, source, *file, table, time.scale, log);
}

void read_section(Draft& draft, const Node& section) {
  if (section.kind != Node::Kind::sequence) return read_table(draft, section);
  for (const Node& item : section.items) read_table(draft, item);
}

}  // namespace

void read_doses(Draft& draft, const Node& root) {
  draft.is_infused.assign(draft.problem.experiments.size(), false);
  const Node* section = root.find("doses");
  if (section != nullptr && section->kind != Node::Kind::null) read_section(draft, *section);
  for (const FoundDoses& found : draft.found_doses) {
    IssueLog log(found.file.name);
    add_table(draft, *found.source, found.file, found.table, 1, log);  // their times were read with the data
  }
}

}  // namespace salvo::formats
