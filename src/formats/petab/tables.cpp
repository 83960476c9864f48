#include "formats/petab/tables.hpp"

#include <algorithm>

namespace salvo::formats::petab {
namespace {

constexpr csv::Style style{.separator = '\t', .comments = false, .short_rows = true};

void append(const csv::Table& part, int file, Table& whole) {
  std::vector<std::size_t> place;  // of every column of the part in the whole
  for (const csv::Cell& name : part.header) {
    if (whole.column(name.text) < 0) whole.columns.push_back(name.text);
    place.push_back(static_cast<std::size_t>(whole.column(name.text)));
  }
  for (const csv::Row& cells : part.rows) {
    Row row{.file = file, .cells = std::vector<csv::Cell>(whole.columns.size(), csv::Cell{.place = cells[0].place})};
    for (std::size_t i = 0; i < cells.size(); ++i) row.cells[place[i]] = cells[i];
    whole.rows.push_back(std::move(row));
  }
}

}  // namespace

int Table::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

const std::string& Table::text(const Row& row, int column) const {
  static const std::string nothing;
  return column < 0 || column >= static_cast<int>(row.cells.size()) ? nothing : row.cells[column].text;
}

Place Table::place(const Row& row, int column) const {
  const std::size_t cell = column < 0 || column >= static_cast<int>(row.cells.size()) ? 0 : column;
  return row.cells[cell].place;
}

model::TextTable Table::as_written() const {
  model::TextTable out{.header = columns};
  for (const Row& row : rows) {
    std::vector<std::string>& cells = out.rows.emplace_back(columns.size());
    for (std::size_t i = 0; i < row.cells.size(); ++i) cells[i] = row.cells[i].text;
  }
  return out;
}

Table read_table(const std::vector<std::string>& paths, FileSource& source, IssueLog& log) {
  Table whole;
  for (const std::string& path : paths) {
    const Result<TextFile> file = source.text(path);
    if (!file) {
      log.add_all(file.issues());
      continue;
    }
    IssueLog its_log(path);
    const csv::Table part = csv::read_table(*file, style, its_log);
    Issues issues = its_log.issues();
    columns_in_characters(*file, issues);
    log.add_all(issues);
    whole.files.push_back(path);
    if (its_log.empty()) append(part, static_cast<int>(whole.files.size()) - 1, whole);
  }
  return whole;
}

}  // namespace salvo::formats::petab
