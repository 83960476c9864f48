#include "formats/problem/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/words.hpp"
#include "formats/problem/cells.hpp"
#include "formats/problem/named_file.hpp"
#include "formats/problem/time_column.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using csv::Row;
using yaml::Node;

constexpr const char* without_input_value = "leave out rows without a value: what lies between others is interpolated";
// One column of a table over its times, for each experiment where the table names them.
class InputReader {
 public:
  InputReader(const Draft& draft, const std::string& column, const TimeColumn& time, IssueLog& log)
      : draft_(draft),
        column_(column),
        time_column_(time),
        log_(log),
        cells_(draft, log, without_input_value, time.scale) {
    for (const model::Experiment& experiment : draft.problem.experiments) experiments_.push_back(experiment.id);
  }

  // One series for each experiment, or one for all.
  std::vector<Series> read(const TextFile& table) {
    csv::read_rows(
        table, csv::style_for(table), log_, [&](const Row& header) { read_header(header); },
        [&](const Row& row) { read_row(row); });
    cells_.tell();
    for (std::size_t e = 0; value_ && log_.empty() && e < series_.size(); ++e)
      if (series_[e].time.empty())
        log_.add(first_place_,
                 experiment_ ? fmt::format("the table has no rows of experiment '{}'", experiments_[e])
                             : "the table has no rows",
                 "add a row for each time");
    return std::move(series_);
  }

 private:
  void read_header(const Row& header) {
    first_place_ = header[0].place;
    std::vector<std::string> names;
    for (const Cell& cell : header) names.push_back(cell.text);
    const std::string time = time_column_.name != nullptr ? time_column_.name->text : "time";
    time_ = csv::column_of(header, time);
    experiment_ = csv::column_of(header, "experiment");
    value_ = csv::column_of(header, column_);
    if (!time_)
      log_.add(first_place_, fmt::format("the column '{}' is missing", time),
               hint_for_unknown(time, names) + "; the input may name it: time: NAME");
    if (!value_)
      log_.add(first_place_, fmt::format("the column '{}' is missing", column_), hint_for_unknown(column_, names));
    if (!time_) value_.reset();
    series_.resize(experiment_ ? experiments_.size() : 1);
  }

  void read_row(const Row& row) {
    if (!value_) return;
    const bool is_first = std::exchange(is_first_row_, false);
    if (is_first && is_row_of_units(row, *time_)) return check_row_of_units(draft_, row[*time_], time_column_, log_);
    const std::optional<double> time = cells_.time(row[*time_]);
    const std::optional<double> value = read_value(row[*value_]);
    const std::optional<std::size_t> of = read_experiment(row);
    if (!time || !value || !of) return;
    if (std::isinf(*time)) return log_.add(row[*time_].place, "the time of an input must be finite");
    Series& series = series_[*of];
    if (!series.time.empty() && !(*time > series.time.back())) {
      const bool is_same = *time == series.time.back();
      cells_.repeated().add(
          is_same ? "repeated" : "unsorted", row[*time_].place,
          is_same ? fmt::format("the time {} is there twice", row[*time_].text)
                  : fmt::format("the time {} is before the one above it, {}", row[*time_].text,
                                number_text(series.time.back())),
          is_same ? "an input has one value at a time; keep one of the rows" : "sort the rows by time");
      return;
    }
    series.time.push_back(*time);
    series.value.push_back(*value);
  }

  std::optional<double> read_value(const Cell& cell) {
    if (!is_gap(cell)) return cells_.finite(cell, fmt::format("the value of '{}'", column_));
    cells_.repeated().add("gaps", cell.place, fmt::format("the value of '{}' is missing in this row", column_),
                          without_input_value);
    return std::nullopt;
  }

  std::optional<std::size_t> read_experiment(const Row& row) {
    if (!experiment_) return 0;
    const Cell& cell = row[*experiment_];
    const auto found = std::find(experiments_.begin(), experiments_.end(), cell.text);
    if (found != experiments_.end()) return static_cast<std::size_t>(found - experiments_.begin());
    if (draft_.all_experiments_known && reported_.insert(cell.text).second)
      log_.add(cell.place,
               cell.text.empty() ? "the experiment is missing in this row"
                                 : fmt::format("unknown experiment '{}'", cell.text),
               hint_for_unknown(cell.text, experiments_));
    return std::nullopt;
  }

  const Draft& draft_;
  const std::string& column_;
  const TimeColumn& time_column_;
  IssueLog& log_;
  CellReader cells_;
  std::vector<std::string> experiments_;
  std::optional<std::size_t> time_, experiment_, value_;
  Place first_place_{};
  bool is_first_row_ = true;
  std::vector<Series> series_;
  std::set<std::string> reported_;
};

}  // namespace

SeriesTable read_series(Draft& draft, const Node& map, const std::string& what, std::string column,
                        model::Interpolation interpolation) {
  SeriesTable out{.name = map.find("data"), .interpolation = interpolation};
  if (const Node* node = map.find("column"))
    column = read_text(draft, *node, fmt::format("the column of {}", what)).value_or(column);
  TimeColumn time;
  if (const Node* node = map.find("time")) time = read_time_column(draft, *node, what);
  if (const Node* node = map.find("interpolation"))
    out.interpolation = read_choice<model::Interpolation>(draft, *node).value_or(interpolation);
  if (out.name == nullptr || !read_text(draft, *out.name, "'data' (the name of a file)")) return out;
  const std::optional<TextFile> file = read_named_file(draft, *out.name, fmt::format("the table of {}", what));
  if (!file) return out;
  IssueLog log(file->name);
  std::vector<Series> series = InputReader(draft, column, time, log).read(*file);
  add_issues_of_file(draft, *file, log);
  if (log.empty()) out.of_experiment = std::move(series);
  return out;
}

}  // namespace salvo::formats
