#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/csv/table.hpp"
#include "formats/file_source.hpp"
#include "model/problem.hpp"

namespace salvo::formats::petab {

// A row of one of the files that make up a table.
struct Row {
  int file = 0;
  std::vector<csv::Cell> cells{};  // by Table::columns
};

// One of PEtab's tables: the rows of all its files, one after the other, with the columns of all of them.
struct Table {
  std::vector<std::string> files{};
  std::vector<std::string> columns{};
  std::vector<Row> rows{};

  int column(std::string_view name) const;  // -1: none
  // The text of a cell; empty where the column is missing.
  const std::string& text(const Row& row, int column) const;
  Place place(const Row& row, int column) const;
  model::TextTable as_written() const;
};

Table read_table(const std::vector<std::string>& paths, FileSource& source, IssueLog& log);

}  // namespace salvo::formats::petab
