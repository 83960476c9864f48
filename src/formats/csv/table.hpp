#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/issue_log.hpp"
#include "formats/text_file.hpp"

namespace salvo::formats::csv {

struct Cell {
  std::string text{};  // without quotes and surrounding blanks
  Place place{};
};
using Row = std::vector<Cell>;

struct Table {
  Row header{};             // no two names are equal
  std::vector<Row> rows{};  // each as long as the header

  std::optional<std::size_t> column(std::string_view name) const;
};

// A comma unless the name of the file ends in .tsv: then a tab.
char separator_for(const std::string& path);

// Comment lines (#) and empty ones are skipped. Without a header the table is empty and an Issue says so.
Table read_table(const TextFile& file, char separator, IssueLog& log);

}  // namespace salvo::formats::csv
