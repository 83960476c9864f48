#include "formats/problem/measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/words.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;
using csv::Table;
using model::Measurement;

bool is_gap(const Cell& cell) { return cell.text.empty() || cell.text == "NA"; }

bool is_nan_word(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text == "nan" || text == "n/a" || text == "null" || text == "-nan";
}

bool is_log(model::Distribution law) {
  return law == model::Distribution::log_normal || law == model::Distribution::log_laplace;
}

class MeasurementReader {
 public:
  MeasurementReader(const Draft& draft, const Table& table, IssueLog& log) : draft_(draft), table_(table), log_(log) {}

  std::vector<Measurement> read() {
    time_ = table_.column("time");
    experiment_ = table_.column("experiment");
    observable_ = unless_observable("observable");
    value_ = unless_observable("value");
    const bool is_long = observable_ || value_;
    const bool good_header = is_long ? check_long_header() : check_wide_header();
    if (!good_header) return {};
    for (const Row& row : table_.rows) is_long ? read_long(row) : read_wide(row);
    if (found_.empty() && log_.empty())
      log_.add(table_.header[0].place, "the table holds no measurements", "add a row for each time");
    return std::move(found_);
  }

 private:
  // --- the header ---

  std::optional<std::size_t> unless_observable(const std::string& name) const {
    return draft_.names_of(Name::Kind::observable).empty() || !is_observable(name) ? table_.column(name) : std::nullopt;
  }
  bool is_observable(const std::string& id) const {
    const Name* name = draft_.find(id);
    return name != nullptr && name->kind == Name::Kind::observable;
  }

  bool has_time() {
    if (time_) return true;
    std::vector<std::string> columns;
    for (const Cell& cell : table_.header) columns.push_back(cell.text);
    log_.add(table_.header[0].place, "the column 'time' is missing", "the first line of the table names the columns");
    return false;
  }

  bool check_long_header() {
    bool good = has_time();
    for (const char* needed : {"observable", "value"})
      if (!table_.column(needed)) {
        log_.add(table_.header[0].place, fmt::format("the column '{}' is missing", needed),
                 "a long table has the columns time,observable,value");
        good = false;
      }
    noise_ = table_.column("noise");
    const std::vector<std::string> known{"time", "observable", "value", "experiment", "noise"};
    for (const Cell& cell : table_.header)
      if (std::find(known.begin(), known.end(), cell.text) == known.end()) report_column(cell, known, "");
    return good;
  }

  bool check_wide_header() {
    const bool good = has_time();
    std::vector<std::string> known = draft_.names_of(Name::Kind::observable);
    known.insert(known.end(), {"time", "experiment"});
    std::size_t strange = 0;
    for (std::size_t i = 0; i < table_.header.size(); ++i) {
      const Cell& cell = table_.header[i];
      if (i == time_ || i == experiment_) continue;
      if (is_observable(cell.text))
        wide_.push_back(i);
      else if (++strange > 0)
        report_column(cell, known,
                      cell.text == "noise" ? "noise of each value needs the columns time,observable,value,noise" : "");
    }
    if (wide_.empty() && strange == 0)
      log_.add(table_.header[0].place, "no column holds an observable", hint_for_unknown("", known));
    return good;
  }

  void report_column(const Cell& cell, const std::vector<std::string>& known, const std::string& hint) {
    if (cell.text.empty())
      log_.add(cell.place, "a column has no name", "the first line of the table names the columns");
    else
      log_.add(cell.place, fmt::format("unknown column '{}'", cell.text),
               hint.empty() ? hint_for_unknown(cell.text, known) : hint);
  }

  // --- the rows ---

  void read_wide(const Row& row) {
    const std::optional<double> time = read_time(row);
    const std::optional<int> experiment = read_experiment(row);
    bool is_too_early = false;
    for (const std::size_t i : wide_) {
      if (is_gap(row[i])) continue;
      const int observable = draft_.find(table_.header[i].text)->index;
      const std::optional<double> value = read_value(row[i], observable);
      if (!value || !time || !experiment || is_too_early) continue;
      is_too_early = !check_start(row, *time, *experiment);
      found_.push_back({.experiment = *experiment, .observable = observable, .time = *time, .value = *value});
    }
  }

  void read_long(const Row& row) {
    const std::optional<double> time = read_time(row);
    const std::optional<int> experiment = read_experiment(row);
    const std::optional<int> observable = read_observable(row[*observable_]);
    if (is_gap(row[*value_])) return;
    const std::optional<double> value = read_value(row[*value_], observable);
    std::optional<double> sigma;
    if (noise_ && !is_gap(row[*noise_])) {
      sigma = read_finite_cell(row[*noise_], "the noise");
      if (sigma && *sigma <= 0)
        log_.add(row[*noise_].place, fmt::format("the noise must be positive, but is {}", number_text(*sigma)));
    }
    if (!time || !experiment || !observable || !value || !check_start(row, *time, *experiment)) return;
    found_.push_back(
        {.experiment = *experiment, .observable = *observable, .time = *time, .value = *value, .sigma = sigma});
  }

  std::optional<double> read_finite_cell(const Cell& cell, const std::string& what) {
    const std::optional<double> number = parse_number(cell.text);
    if (number && std::isfinite(*number)) return number;
    if (number || is_nan_word(cell.text)) {
      log_.add(cell.place, fmt::format("{} is '{}'; it must be a finite number", what, cell.text),
               "leave the cell empty or write NA where nothing was measured");
    } else {
      const BadNumber bad = explain_bad_number(cell.text);
      log_.add(cell.place, fmt::format("{} cannot be read: {}", what, bad.message), bad.hint);
    }
    return std::nullopt;
  }

  std::optional<double> read_time(const Row& row) {
    const Cell& cell = row[*time_];
    if (!is_gap(cell)) return read_finite_cell(cell, "the time");
    log_.add(cell.place, "the time is missing in this row");
    return std::nullopt;
  }

  std::optional<double> read_value(const Cell& cell, std::optional<int> observable) {
    const std::optional<double> value = read_finite_cell(cell, "the value");
    if (!value || !observable) return value;
    const model::Observable& its = draft_.problem.observables[static_cast<std::size_t>(*observable)];
    if (!is_log(its.distribution) || *value > 0) return value;
    log_.add(cell.place, fmt::format("the value of {} is {}, but its distribution is {}, which needs positive values",
                                     its.id, number_text(*value), model::to_string(its.distribution)));
    return std::nullopt;
  }

  std::optional<int> read_observable(const Cell& cell) {
    if (is_observable(cell.text)) return draft_.find(cell.text)->index;
    if (reported_.insert("observable " + cell.text).second)
      log_.add(cell.place,
               cell.text.empty() ? "the observable is missing in this row"
                                 : fmt::format("unknown observable '{}'", cell.text),
               hint_for_unknown(cell.text, draft_.names_of(Name::Kind::observable)));
    return std::nullopt;
  }

  std::optional<int> read_experiment(const Row& row) {
    const auto& experiments = draft_.problem.experiments;
    const Cell missing{.place = row[0].place};
    const Cell& cell = experiment_ ? row[*experiment_] : missing;
    if (cell.text.empty() && experiments.size() == 1) return 0;
    std::vector<std::string> ids;
    for (std::size_t e = 0; e < experiments.size(); ++e) {
      if (experiments[e].id == cell.text) return static_cast<int>(e);
      ids.push_back(experiments[e].id);
    }
    if (!reported_.insert("experiment " + cell.text).second) return std::nullopt;
    if (!experiment_)
      log_.add(table_.header[0].place, "the column 'experiment' is missing, but the problem has several experiments",
               hint_for_unknown("", ids));
    else if (cell.text.empty())
      log_.add(cell.place, "the experiment is missing in this row", hint_for_unknown("", ids));
    else
      log_.add(cell.place, fmt::format("unknown experiment '{}'", cell.text),
               ids.size() == 1 && ids[0] == model::default_experiment ? "name it in the section 'experiments'"
                                                                      : hint_for_unknown(cell.text, ids));
    return std::nullopt;
  }

  bool check_start(const Row& row, double time, int experiment) {
    const double start = draft_.problem.experiments[static_cast<std::size_t>(experiment)].start;
    if (time >= start) return true;
    log_.add(
        row[*time_].place,
        fmt::format("the time {} is before the start of the integration, {}", number_text(time), number_text(start)),
        "set 'start' in the problem file to the first time or earlier");
    return false;
  }

  const Draft& draft_;
  const Table& table_;
  IssueLog& log_;
  std::optional<std::size_t> time_, experiment_, observable_, value_, noise_;
  std::vector<std::size_t> wide_;   // columns of observables
  std::set<std::string> reported_;  // unknown names that were already told
  std::vector<Measurement> found_;
};

}  // namespace

std::vector<Measurement> read_measurements(const Draft& draft, const Table& table, IssueLog& log) {
  return MeasurementReader(draft, table, log).read();
}

}  // namespace salvo::formats
