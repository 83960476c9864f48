#include "formats/tables/parameter_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/words.hpp"
#include "formats/csv/table.hpp"
#include "formats/text_file.hpp"

namespace salvo::formats {
namespace {

using csv::Row;
using csv::Table;

struct Columns {
  std::size_t id = 0;
  std::size_t value = 0;
  std::optional<std::size_t> experiment{};
};

std::optional<Columns> find_columns(const Table& table, IssueLog& log) {
  const auto parameter_id = table.column("parameterId");
  const auto value = table.column("value");
  if (parameter_id && value) return Columns{.id = *parameter_id, .value = *value};
  const auto id = table.column("id");
  const auto estimate = table.column("estimate");
  if (id && estimate) return Columns{.id = *id, .value = *estimate, .experiment = table.column("experiment")};
  log.add(table.header[0].place, "the header must name the columns 'parameterId' and 'value'",
          "separate the columns by tabs");
  return std::nullopt;
}

std::string name_in(const Row& row, const Columns& columns) {
  const std::string& id = row[columns.id].text;
  if (!columns.experiment || row[*columns.experiment].text.empty()) return id;
  std::string_view experiment = row[*columns.experiment].text;
  if (experiment.front() == '\'') experiment.remove_prefix(1);  // put there for spreadsheets (report/tables.cpp)
  return std::string(experiment) + ":" + id;
}

void read_row(const Row& row, const Columns& columns, std::map<std::string, double>& values, IssueLog& log) {
  const csv::Cell& cell = row[columns.value];
  const std::string name = name_in(row, columns);
  const std::optional<double> value = parse_number(cell.text);
  if (row[columns.id].text.empty()) {
    log.add(row[columns.id].place, "the name is missing in this row");
  } else if (!value || !std::isfinite(*value)) {
    log.add(cell.place, fmt::format("the value of '{}' must be a finite number, but is '{}'", name, cell.text));
  } else if (!values.emplace(name, *value).second) {
    log.add(row[columns.id].place, fmt::format("'{}' is given twice", name), "remove one of them");
  }
}

}  // namespace

Result<std::map<std::string, double>> read_parameter_table(const std::string& path) {
  const Result<TextFile> file = read_text_file(path);
  if (!file) return file.issues();
  IssueLog log(path);
  const Table table = csv::read_table(*file, '\t', log);
  std::map<std::string, double> values;
  if (log.empty())
    if (const auto columns = find_columns(table, log))
      for (const Row& row : table.rows) read_row(row, *columns, values, log);
  if (log.empty()) return values;
  Issues issues = log.issues();
  sort_by_place(issues);
  issues = shorten(std::move(issues), log.left_out());
  columns_in_characters(*file, issues);
  return issues;
}

}  // namespace salvo::formats
