#include "formats/problem/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/words.hpp"
#include "formats/problem/cells.hpp"
#include "formats/problem/unknown_columns.hpp"
#include "formats/problem/values.hpp"
#include "formats/repeated_issues.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;
using model::Measurement;

constexpr const char* without_value = "leave the cell empty or write NA where nothing was measured";

class MeasurementReader {
 public:
  MeasurementReader(const Draft& draft, const TableMeaning& meaning, IssueLog& log, std::vector<Measurement>& to)
      : draft_(draft), meaning_(meaning), log_(log), found_(to), cells_(draft, log, without_value, meaning.time.scale) {
    for (const model::Observable& observable : draft.problem.observables) {
      place_of_observable_.emplace(observable.id, static_cast<int>(observables_.size()));
      observables_.push_back(observable.id);
    }
    for (const model::Experiment& experiment : draft.problem.experiments)
      place_of_experiment_.emplace(experiment.id, static_cast<int>(place_of_experiment_.size()));
  }

  MeasurementsRead read(const TextFile& table) {
    const std::size_t before = found_.size();
    const auto begin = [&](const Row& header) {
      read_header(header);
      found_.reserve(before + most_values(table.text));
    };
    csv::read_rows(table, csv::style_for(table), log_, begin, [&](const Row& row) { read_row(row); });
    return finish(before);
  }

  MeasurementsRead read(const csv::Table& table) {
    const std::size_t before = found_.size();
    read_header(table.header);
    for (const Row& row : table.rows) read_row(row);
    return finish(before);
  }

 private:
  MeasurementsRead finish(std::size_t before) {
    cells_.tell();
    if (good_header_ && found_.size() == before && log_.empty() && without_value_.empty())
      log_.add(header_[0].place, "the table holds no measurements", "add a row for each time");
    return {.early = early_rows(), .without_value = std::move(without_value_)};
  }

  // --- the header ---

  void read_header(const Row& header) {
    header_ = header;
    const auto ignored = meaning_.name_columns(header_);
    if (!ignored) return;
    ignored_ = *ignored;
    time_ = csv::column_of(header_, "time");
    experiment_ = csv::column_of(header_, "experiment");
    if (experiment_ && !meaning_.experiment.empty()) {
      log_.add(header_[*experiment_].place,
               fmt::format("the column 'experiment' tells the experiment of each row, but the problem file says that "
                           "all belong to '{}'",
                           meaning_.experiment),
               "say it in one place; a column can be left out by ignore: [experiment]");
      return;
    }
    observable_ = csv::column_of(header_, "observable");
    value_ = csv::column_of(header_, "value");
    for (const model::Space& space : draft_.problem.space) positions_.push_back(csv::column_of(header_, space.id));
    if (!find_observable("measured")) measured_ = csv::column_of(header_, "measured");
    is_long_ = looks_long();
    good_header_ = is_long_ ? check_long_header() : check_wide_header();
    good_header_ = good_header_ && check_positions();
  }

  // No more values than the text has lines and the lines have columns.
  std::size_t most_values(std::string_view text) const {
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    return good_header_ ? lines * (is_long_ ? 1 : wide_.size()) : 0;
  }

  std::optional<int> find_observable(const std::string& id) const {
    const auto found = place_of_observable_.find(id);
    if (found == place_of_observable_.end()) return std::nullopt;
    return found->second;
  }

  // By the columns "observable" and "value". An observable may itself have such a name, and its column is then one of a
  // wide table, unless only the other one makes sense of it.
  bool looks_long() const {
    const bool may_be_wide = (!observable_ || find_observable("observable")) && (!value_ || find_observable("value"));
    return !may_be_wide;
  }

  bool check_long_header() {
    std::vector<std::string> known{"time", "observable", "value", "experiment", "noise", "measured"};
    for (const model::Space& space : draft_.problem.space) known.push_back(space.id);
    std::vector<Cell> unknown;
    for (std::size_t i = 0; i < header_.size(); ++i)
      if (!ignored_[i] && std::find(known.begin(), known.end(), header_[i].text) == known.end())
        unknown.push_back(header_[i]);
    bool good = check_columns(std::move(unknown), known);
    for (const char* needed : {"observable", "value"})
      if (!csv::column_of(header_, needed)) {
        log_.add(header_[0].place, fmt::format("the column '{}' is missing", needed),
                 "a long table has the columns time,observable,value");
        good = false;
      }
    noise_ = csv::column_of(header_, "noise");
    return good;
  }

  bool check_wide_header() {
    std::vector<std::string> known = observables_;
    known.insert(known.end(), {"time", "experiment", "measured"});
    for (const model::Space& space : draft_.problem.space) known.push_back(space.id);
    std::vector<Cell> unknown;
    for (std::size_t i = 0; i < header_.size(); ++i) {
      const std::string& name = header_[i].text;  // that a name stands there twice was told
      if (name == "time" || name == "experiment" || i == measured_ || ignored_[i]) continue;
      if (std::find(positions_.begin(), positions_.end(), i) != positions_.end()) continue;
      if (const auto observable = find_observable(name))
        wide_.push_back({i, *observable});
      else
        unknown.push_back(header_[i]);
    }
    if (find_observable("experiment") && experiment_) {
      log_.add(header_[*experiment_].place,
               "the column 'experiment' tells the experiment of a row, but an observable has that name, too",
               "rename the observable");
      return false;
    }
    if (wide_.empty() && unknown.empty())
      log_.add(header_[0].place, "no column holds an observable", hint_for_unknown("", known));
    return check_columns(std::move(unknown), known);
  }

  // Is there a time? Everything that no one knows is told.
  bool check_columns(std::vector<Cell> unknown, const std::vector<std::string>& known) {
    report_unknown_columns(
        {.cells = std::move(unknown), .is_time_missing = !time_, .known = known, .observables = observables_}, header_,
        log_);
    return time_.has_value();
  }

  // --- where in space ---

  // Every observable that has another value at each place needs to be told where.
  bool check_positions() {
    const auto& observables = draft_.problem.observables;
    for (const model::Observable& observable : observables)
      open_.push_back(
          observable.formula == expression::no_node ? 0 : model::open_coordinates(draft_.problem, observable.formula));
    const auto is_there = [&](std::size_t o) {
      const auto has = [&](const auto& column) { return column.second == static_cast<int>(o); };
      return is_long_ || std::any_of(wide_.begin(), wide_.end(), has);
    };
    for (std::size_t k = 0; k < positions_.size(); ++k)
      for (std::size_t o = 0; o < open_.size() && !positions_[k]; ++o) {
        if ((open_[o] >> k & 1U) == 0 || !is_there(o)) continue;
        const std::string& space = draft_.problem.space[k].id;
        log_.add(
            header_[0].place,
            fmt::format("the column '{}' is missing: {} has another value at each place", space, observables[o].id),
            fmt::format("add a column '{}' that says where each value was measured, or write mean(u, {}), "
                        "integral(u, {}) or u(at: 3) in the observable",
                        space, space, space));
        return false;
      }
    return true;
  }

  // Where the value of an observable was measured; false with an Issue if that is not known, or outside.
  bool read_place(const Row& row, int observable, std::array<OptionalNumber, 2>& place) {
    for (std::size_t k = 0; k < positions_.size(); ++k) {
      if ((open_[static_cast<std::size_t>(observable)] >> k & 1U) == 0) continue;
      const model::Space& space = draft_.problem.space[k];
      const Cell& cell = row[*positions_[k]];
      const std::optional<double> position = cells_.finite(cell, fmt::format("the position {}", space.id));
      if (!position) return false;
      if (*position < space.from || *position > space.to) {
        cells_.repeated().add("outside " + space.id, cell.place,
                              fmt::format("{} = {} is outside the space of the problem, which reaches from {} to {}",
                                          space.id, cell.text, number_text(space.from), number_text(space.to)),
                              fmt::format("widen {} in the section 'space', or leave the row out", space.id));
        return false;
      }
      place[k] = *position;
    }
    return true;
  }

  // --- the rows ---

  void read_row(const Row& row) {
    if (!good_header_) return;
    const bool is_first = std::exchange(is_first_row_, false);
    if (is_first && is_row_of_units(row, *time_)) return check_row_of_units(draft_, row[*time_], meaning_.time, log_);
    is_long_ ? read_long(row) : read_wide(row);
  }

  // Times without a value are those at which one is to be predicted.
  void note_empty(std::optional<double> time, std::optional<int> experiment) {
    if (time && experiment && std::isfinite(*time)) without_value_.emplace_back(*experiment, *time);
  }

  void read_wide(const Row& row) {
    const std::optional<double> time = cells_.time(row[*time_]);
    const std::optional<int> experiment = read_experiment(row);
    const bool before_events = is_before_events(row);
    std::optional<bool> is_late_enough;  // asked once a value is there
    if (std::all_of(wide_.begin(), wide_.end(), [&](const auto& column) { return is_gap(row[column.first]); }))
      return note_empty(time, experiment);
    for (const auto& [i, observable] : wide_) {
      if (is_gap(row[i])) continue;
      const std::optional<model::Datum> datum = read_value(row[i], observable);
      if (!datum || !time || !experiment) continue;
      if (!is_late_enough) is_late_enough = check_start(row, *time, *experiment);
      std::array<OptionalNumber, 2> place;
      if (!*is_late_enough || !read_place(row, observable, place)) continue;
      found_.push_back({.experiment = *experiment,
                        .observable = observable,
                        .time = *time,
                        .value = datum->value,
                        .censored = datum->censored,
                        .place = place,
                        .before_events = before_events});
    }
  }

  // Doses and events of the same time come before a measurement, unless its row says otherwise.
  bool is_before_events(const Row& row) {
    if (!measured_ || is_gap(row[*measured_])) return false;
    const Cell& cell = row[*measured_];
    if (cell.text != "before" && cell.text != "after")
      cells_.repeated().add("measured", cell.place, fmt::format("'{}' in the column 'measured'", cell.text),
                            "write before or after: before or after the doses and events of the same time");
    return cell.text == "before";
  }

  void read_long(const Row& row) {
    const std::optional<double> time = cells_.time(row[*time_]);
    const std::optional<int> experiment = read_experiment(row);
    const std::optional<int> observable = read_observable(row[*observable_]);
    const bool before_events = is_before_events(row);
    if (is_gap(row[*value_])) return note_empty(time, experiment);
    const std::optional<model::Datum> datum = read_value(row[*value_], observable);
    std::optional<double> sigma;
    if (noise_ && !is_gap(row[*noise_])) {
      sigma = cells_.finite(row[*noise_], "the noise");
      if (observable && model::is_count(draft_.problem.observables[static_cast<std::size_t>(*observable)].distribution))
        log_.add(row[*noise_].place, "a count takes no noise: its scatter follows from its mean",
                 "leave the cell empty");
      else if (sigma && *sigma <= 0)
        log_.add(row[*noise_].place, fmt::format("the noise must be positive, but is {}", number_text(*sigma)));
    }
    if (!time || !experiment || !observable || !datum || !check_start(row, *time, *experiment)) return;
    std::array<OptionalNumber, 2> place;
    if (!read_place(row, *observable, place)) return;
    found_.push_back({.experiment = *experiment,
                      .observable = *observable,
                      .time = *time,
                      .value = datum->value,
                      .sigma = sigma,
                      .censored = datum->censored,
                      .place = place,
                      .before_events = before_events});
  }

  // "3.1", or a limit: "<0.1", "> 50".
  std::optional<model::Datum> read_value(const Cell& cell, std::optional<int> observable) {
    model::Datum datum;
    std::optional<double> value;
    if (!cell.text.empty() && (cell.text[0] == '<' || cell.text[0] == '>')) {
      datum.censored = cell.text[0] == '<' ? model::Censored::below : model::Censored::above;
      Cell limit = cell;
      limit.text.erase(0, limit.text.find_first_not_of(' ', 1));
      if (limit.text.starts_with('=')) {
        cells_.repeated().add("limits with =", cell.place, fmt::format("the limit '{}' cannot be read", cell.text),
                              "a value below or above a limit is written <0.1 or >50");
        return std::nullopt;
      }
      value = cells_.finite(limit, "the value");
    } else {
      value = cells_.finite(cell, "the value");
    }
    if (!value) return std::nullopt;
    datum.value = *value;
    if (observable && !suits(cell, datum, draft_.problem.observables[static_cast<std::size_t>(*observable)]))
      return std::nullopt;
    return datum;
  }

  // Whether the law of the observable allows the datum.
  bool suits(const Cell& cell, const model::Datum& datum, const model::Observable& its) {
    if (model::is_logarithmic(its.distribution) && datum.value <= 0) {
      cells_.repeated().add(
          its.id, cell.place,
          fmt::format("the value of {} is {}, but its distribution is {}, which needs positive values", its.id,
                      number_text(datum.value), model::to_string(its.distribution)));
      return false;
    }
    if (!model::is_count(its.distribution)) return true;
    if (datum.censored != model::Censored::no) {
      cells_.repeated().add(its.id + " with limits", cell.place,
                            fmt::format("{} is a count ({}); a limit such as '{}' is not supported for counts", its.id,
                                        model::to_string(its.distribution), cell.text));
      return false;
    }
    if (datum.value >= 0 && datum.value == std::floor(datum.value)) return true;
    cells_.repeated().add(
        its.id, cell.place,
        fmt::format("the value of {} is {}, but its distribution is {}, which is of whole numbers from 0 on", its.id,
                    number_text(datum.value), model::to_string(its.distribution)));
    return false;
  }

  std::optional<int> read_observable(const Cell& cell) {
    if (const auto observable = find_observable(cell.text)) return observable;
    if (reported_.insert("observable " + cell.text).second)
      log_.add(cell.place,
               cell.text.empty() ? "the observable is missing in this row"
                                 : fmt::format("unknown observable '{}'", cell.text),
               hint_for_unknown(cell.text, observables_));
    return std::nullopt;
  }

  std::optional<int> read_experiment(const Row& row) {
    const auto& experiments = draft_.problem.experiments;
    const Cell of_table{.text = meaning_.experiment, .place = row[0].place};
    const Cell& cell = experiment_ ? row[*experiment_] : of_table;
    if (cell.text.empty() && experiments.size() == 1) return 0;
    if (const auto found = place_of_experiment_.find(cell.text); found != place_of_experiment_.end())
      return found->second;
    std::vector<std::string> ids;
    for (const model::Experiment& experiment : experiments) ids.push_back(experiment.id);
    if (!draft_.all_experiments_known || !reported_.insert("experiment " + cell.text).second) return std::nullopt;
    if (!experiment_ && cell.text.empty())
      log_.add(header_[0].place, "the column 'experiment' is missing, but the problem has several experiments",
               hint_for_unknown("", ids));
    else if (cell.text.empty())
      log_.add(cell.place, "the experiment is missing in this row", hint_for_unknown("", ids));
    else
      log_.add(cell.place, fmt::format("unknown experiment '{}'", cell.text),
               fmt::format("{}; the section 'experiments' names all of them, or is left out",
                           hint_for_unknown(cell.text, ids)));
    return std::nullopt;
  }

  bool check_start(const Row& row, double time, int experiment) {
    const double start = draft_.problem.experiments[static_cast<std::size_t>(experiment)].start;
    if (time >= start) return true;
    const bool is_stated = draft_.start_is_stated[static_cast<std::size_t>(experiment)];
    (is_stated ? cells_.repeated() : early_)
        .add(
            std::to_string(experiment), row[*time_].place,
            fmt::format("the time {} is before the start of the integration, {}", row[*time_].text, number_text(start)),
            "set 'start' in the problem file to the first time or earlier");
    return !is_stated;
  }

  std::vector<Draft::EarlyRow> early_rows() const {
    std::vector<Draft::EarlyRow> rows;
    for (const RepeatedIssues::Kind& kind : early_.kinds())
      rows.push_back({std::stoi(kind.name),
                      {.file = log_.file(),
                       .line = kind.place.line,
                       .column = kind.place.column,
                       .message = kind.text(),
                       .hint = kind.hint}});
    return rows;
  }

  const Draft& draft_;
  const TableMeaning& meaning_;
  IssueLog& log_;
  std::vector<Measurement>& found_;
  std::vector<std::string> observables_;
  std::unordered_map<std::string, int> place_of_observable_, place_of_experiment_;
  Row header_;
  std::vector<bool> ignored_;  // columns
  bool is_long_ = false;
  bool good_header_ = false;
  bool is_first_row_ = true;
  std::optional<std::size_t> time_, experiment_, observable_, value_, noise_, measured_;
  std::vector<std::optional<std::size_t>> positions_;  // columns of coordinates
  std::vector<unsigned> open_;                         // of observables: coordinates at which they have a value each
  std::vector<std::pair<std::size_t, int>> wide_;      // columns of observables, and which
  std::set<std::string> reported_;                     // unknown names that were already told
  CellReader cells_;
  RepeatedIssues early_;  // by experiment
  std::vector<std::pair<int, double>> without_value_;
};

}  // namespace

MeasurementsRead read_measurements(const Draft& draft, const TextFile& table, const TableMeaning& meaning,
                                   IssueLog& log, std::vector<Measurement>& to) {
  return MeasurementReader(draft, meaning, log, to).read(table);
}

MeasurementsRead read_measurements(const Draft& draft, const csv::Table& table, const TableMeaning& meaning,
                                   IssueLog& log, std::vector<Measurement>& to) {
  return MeasurementReader(draft, meaning, log, to).read(table);
}

}  // namespace salvo::formats
