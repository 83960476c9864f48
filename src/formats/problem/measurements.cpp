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
  MeasurementReader(const Draft& draft, const Table& table, IssueLog& log) : draft_(draft), table_(table), log_(log) {
    for (const model::Observable& observable : draft.problem.observables) observables_.push_back(observable.id);
  }

  std::vector<Measurement> read() {
    time_ = table_.column("time");
    experiment_ = table_.column("experiment");
    observable_ = table_.column("observable");
    value_ = table_.column("value");
    const bool is_long = looks_long();
    const bool good_header = is_long ? check_long_header() : check_wide_header();
    if (!good_header) return {};
    for (const Row& row : table_.rows) is_long ? read_long(row) : read_wide(row);
    if (found_.empty() && log_.empty())
      log_.add(table_.header[0].place, "the table holds no measurements", "add a row for each time");
    return std::move(found_);
  }

 private:
  // --- the header ---

  std::optional<int> find_observable(const std::string& id) const {
    const auto found = std::find(observables_.begin(), observables_.end(), id);
    if (found == observables_.end()) return std::nullopt;
    return static_cast<int>(found - observables_.begin());
  }

  // By the columns "observable" and "value". An observable may itself have such a name, and its column is then one of a
  // wide table, unless only the other one makes sense of it.
  bool looks_long() const {
    const bool may_be_wide = (!observable_ || find_observable("observable")) && (!value_ || find_observable("value"));
    return !may_be_wide;
  }

  // A misspelt time is told as an unknown column.
  bool has_time(const std::vector<std::string>& known) {
    if (time_) return true;
    const bool is_misspelt = std::any_of(table_.header.begin(), table_.header.end(),
                                         [&](const Cell& cell) { return nearest_word(cell.text, known) == "time"; });
    if (!is_misspelt)
      log_.add(table_.header[0].place, "the column 'time' is missing", "the first line of the table names the columns");
    return false;
  }

  bool check_long_header() {
    const std::vector<std::string> known{"time", "observable", "value", "experiment", "noise"};
    bool good = has_time(known);
    for (const char* needed : {"observable", "value"})
      if (!table_.column(needed)) {
        log_.add(table_.header[0].place, fmt::format("the column '{}' is missing", needed),
                 "a long table has the columns time,observable,value");
        good = false;
      }
    noise_ = table_.column("noise");
    for (const Cell& cell : table_.header)
      if (std::find(known.begin(), known.end(), cell.text) == known.end()) report_column(cell, known, "");
    return good;
  }

  bool check_wide_header() {
    std::vector<std::string> known = observables_;
    known.insert(known.end(), {"time", "experiment"});
    const bool good = has_time(known);
    std::size_t strange = 0;
    for (std::size_t i = 0; i < table_.header.size(); ++i) {
      const Cell& cell = table_.header[i];
      if (i == time_ || i == experiment_) continue;
      if (find_observable(cell.text))
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
      const int observable = *find_observable(table_.header[i].text);
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
    const Cell missing{.place = row[0].place};
    const Cell& cell = experiment_ ? row[*experiment_] : missing;
    if (cell.text.empty() && experiments.size() == 1) return 0;
    std::vector<std::string> ids;
    for (std::size_t e = 0; e < experiments.size(); ++e) {
      if (experiments[e].id == cell.text) return static_cast<int>(e);
      ids.push_back(experiments[e].id);
    }
    if (!draft_.all_experiments_known || !reported_.insert("experiment " + cell.text).second) return std::nullopt;
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
  std::vector<std::string> observables_;
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
