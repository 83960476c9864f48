#pragma once

#include <functional>
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
std::optional<std::size_t> column_of(const Row& header, std::string_view name);

// How a table is written, besides by lines of cells.
struct Style {
  char separator = ',';
  bool comments = true;        // lines that begin with # are none of its rows
  bool short_rows = false;     // cells that are missing at the end of a row are empty, and empty ones too many are none
  bool decimal_comma = false;  // 1,5 is a number, and is handed on as 1.5
};

// Separated by commas unless the name of the file ends in .tsv, or its first line holds semicolons rather than commas,
// as spreadsheets write where numbers have decimal commas.
Style style_for(const TextFile& file);

// Calls begin(header) and then take(row) for every row; a row lasts no longer than the call, so that long tables take
// no memory. Comment lines (#) and empty ones are skipped, and so are separators after the last cell. Without a header
// nothing is called and an Issue says so.
void read_rows(const TextFile& file, const Style& style, IssueLog& log, const std::function<void(const Row&)>& begin,
               const std::function<void(const Row&)>& take);

// The names of the columns alone, if there are any.
Row read_header(const TextFile& file, const Style& style);

// This reads all rows at once.
Table read_table(const TextFile& file, const Style& style, IssueLog& log);
inline Table read_table(const TextFile& file, char separator, IssueLog& log) {
  return read_table(file, Style{.separator = separator}, log);
}

}  // namespace salvo::formats::csv
