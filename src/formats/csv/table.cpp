#include "formats/csv/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::formats::csv {
namespace {

std::string_view trim(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Splits one line. Cells never go on in the next line.
class LineReader {
 public:
  LineReader(std::string_view line, int number, char separator, IssueLog& log)
      : line_(line), number_(number), separator_(separator), log_(log) {}

  std::optional<Row> read() {
    Row row;
    do {
      skip_blanks();
      const bool quoted = at_ < line_.size() && line_[at_] == '"';
      const std::optional<Cell> cell = quoted ? quoted_cell() : plain_cell();
      if (!cell) return std::nullopt;
      row.push_back(*cell);
    } while (at_ < line_.size() && line_[at_++] == separator_);
    return row;
  }

 private:
  Place here() const { return {number_, static_cast<int>(at_) + 1}; }

  void skip_blanks() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }

  Cell plain_cell() {
    const Place place = here();
    const std::size_t end = std::min(line_.find(separator_, at_), line_.size());
    Cell cell{.text = std::string(trim(line_.substr(at_, end - at_), " \t")), .place = place};
    at_ = end;
    return cell;
  }

  std::optional<Cell> quoted_cell() {
    Cell cell{.place = here()};
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] != '"') {
        cell.text += line_[at_];
      } else if (at_ + 1 < line_.size() && line_[at_ + 1] == '"') {
        cell.text += line_[at_++];
      } else {
        ++at_;
        return end_of_quoted(std::move(cell));
      }
    }
    log_.add(cell.place, "a quoted cell begins here and is never closed", "add the missing quote in the same line");
    return std::nullopt;
  }

  std::optional<Cell> end_of_quoted(Cell cell) {
    skip_blanks();
    if (at_ >= line_.size() || line_[at_] == separator_) return cell;
    log_.add(here(), "something follows the closing quote of a cell", "a quote inside quotes is written twice");
    return std::nullopt;
  }

  std::string_view line_;
  int number_;
  char separator_;
  IssueLog& log_;
  std::size_t at_ = 0;
};

bool is_empty(const Row& row) {
  return std::all_of(row.begin(), row.end(), [](const Cell& cell) { return cell.text.empty(); });
}

bool is_well_separated(const Row& header, char separator, IssueLog& log) {
  if (header.size() > 1 || header[0].text.find_first_of(";,\t") == std::string::npos) return true;
  log.add(header[0].place, fmt::format("the columns are not separated by {}", separator == ',' ? "commas" : "tabs"),
          separator == ',' ? "separate them by commas, or name the file .tsv if they are separated by tabs"
                           : "separate them by tabs, or name the file .csv if they are separated by commas");
  return false;
}

void check_names(const Row& header, IssueLog& log) {
  for (std::size_t i = 0; i < header.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (header[i].text == header[k].text) {
        log.add(header[i].place, fmt::format("two columns are named '{}'; the first is at {}", header[i].text,
                                             to_string(header[k].place)));
        break;
      }
}

void check_length(const Row& row, const Row& header, Place end, char separator, IssueLog& log) {
  const bool too_long = row.size() > header.size();
  log.add(too_long ? row[header.size()].place : end,
          fmt::format("this row has {} cell{}, but the header has {}", row.size(), row.size() == 1 ? "" : "s",
                      header.size()),
          too_long && separator == ',' ? "a decimal comma? write 1.5, not 1,5" : "");
}

}  // namespace

std::optional<std::size_t> Table::column(std::string_view name) const {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i].text == name) return i;
  return std::nullopt;
}

char separator_for(const std::string& path) { return path.ends_with(".tsv") || path.ends_with(".TSV") ? '\t' : ','; }

Table read_table(const TextFile& file, char separator, IssueLog& log) {
  Table table;
  int number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    const std::string_view content = trim(line, " \t");
    if (content.empty() || content.front() == '#') continue;
    std::optional<Row> row = LineReader(line, number, separator, log).read();
    if (!row && table.header.empty()) return table;  // without names the rest means nothing
    if (!row) continue;
    if (table.header.empty()) {
      if (!is_well_separated(*row, separator, log)) return table;
      check_names(*row, log);
      table.header = std::move(*row);
    } else if (row->size() != table.header.size() && !is_empty(*row)) {
      check_length(*row, table.header, {number, static_cast<int>(line.size()) + 1}, separator, log);
    } else if (!is_empty(*row)) {
      table.rows.push_back(std::move(*row));
    }
  }
  if (table.header.empty() && log.empty()) log.add({1, 1}, "the file is empty", "its first line names the columns");
  return table;
}

}  // namespace salvo::formats::csv
