#include "formats/csv/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace salvo::formats::csv {
namespace {

std::string_view trim(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_content(std::string_view line, const Style& style) {
  const std::string_view content = trim(line, " \t");
  return !content.empty() && !(style.comments && content.front() == '#');
}

std::string_view first_line(const TextFile& file, const Style& style) {
  for (std::string_view rest = file.text; !rest.empty();)
    if (const std::string_view line = take_line(rest); is_content(line, style)) return line;
  return {};
}

// Where the decimal sign of a number stands: "1,5", "<0,1", "-2,5e3"; nowhere in other texts.
std::optional<std::size_t> find_decimal(std::string_view text, char sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos || text.find(sign, at + 1) != std::string_view::npos) return std::nullopt;
  const bool has_digits = text.find_first_of("0123456789") != std::string_view::npos;
  const std::string allowed = std::string("<> +-0123456789eE") + sign;
  if (!has_digits || text.find_first_not_of(allowed) != std::string_view::npos) return std::nullopt;
  return at;
}

// A file that has both signs leaves open what 1,234 is.
class DecimalSigns {
 public:
  // 1,5 becomes 1.5.
  void read(Cell& cell) {
    if (const auto comma = find_decimal(cell.text, ',')) {
      note(cell, comma_);
      cell.text[*comma] = '.';
    } else if (find_decimal(cell.text, '.')) {
      note(cell, point_);
    }
  }
  void tell(IssueLog& log) const {
    if (!comma_ || !point_) return;
    const bool comma_is_first = comma_->line < point_->line;
    log.add(comma_is_first ? *point_ : *comma_,
            fmt::format("here a number has a decimal {}, but one in line {} has a decimal {}",
                        comma_is_first ? "point" : "comma", (comma_is_first ? comma_ : point_)->line,
                        comma_is_first ? "comma" : "point"),
            "write all numbers of the file in one way");
  }

 private:
  static void note(const Cell& cell, std::optional<Place>& first) {
    if (!first) first = cell.place;
  }
  std::optional<Place> comma_, point_;
};

// Splits one line into a row, whose memory it uses again. Cells never go on in the next line.
class LineReader {
 public:
  LineReader(std::string_view line, int number, char separator, IssueLog& log)
      : line_(line), number_(number), separator_(separator), log_(log) {}

  bool read(Row& row) {
    std::size_t count = 0;
    do {
      skip_blanks();
      const bool quoted = at_ < line_.size() && line_[at_] == '"';
      if (row.size() == count) row.emplace_back();
      Cell& cell = row[count++];
      cell.place = here();
      if (!quoted)
        read_plain(cell);
      else if (!read_quoted(cell))
        return false;
    } while (at_ < line_.size() && line_[at_++] == separator_);
    row.resize(count);
    return true;
  }

 private:
  Place here() const { return {number_, static_cast<int>(at_) + 1}; }

  void skip_blanks() {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
  }

  void read_plain(Cell& cell) {
    const std::size_t end = std::min(line_.find(separator_, at_), line_.size());
    cell.text = trim(line_.substr(at_, end - at_), " \t");
    at_ = end;
  }

  bool read_quoted(Cell& cell) {
    cell.text.clear();
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] != '"') {
        cell.text += line_[at_];
      } else if (at_ + 1 < line_.size() && line_[at_ + 1] == '"') {
        cell.text += line_[at_++];
      } else {
        ++at_;
        return ends_after_quote();
      }
    }
    log_.add(cell.place, "a quoted cell begins here and is never closed", "add the missing quote in the same line");
    return false;
  }

  bool ends_after_quote() {
    skip_blanks();
    if (at_ >= line_.size() || line_[at_] == separator_) return true;
    log_.add(here(), "something follows the closing quote of a cell", "a quote inside quotes is written twice");
    return false;
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
  std::map<std::string_view, Place> first;
  for (const Cell& cell : header)
    if (const auto [at, is_new] = first.emplace(cell.text, cell.place); !is_new)
      log.add(cell.place,
              fmt::format("two columns are named '{}'; the first is at {}", cell.text, to_string(at->second)));
}

void check_length(const Row& row, const Row& header, Place end, char separator, IssueLog& log) {
  const bool too_long = row.size() > header.size();
  log.add(too_long ? row[header.size()].place : end,
          fmt::format("this row has {} cell{}, but the header has {}", row.size(), row.size() == 1 ? "" : "s",
                      header.size()),
          too_long && separator == ',' ? "a decimal comma? write 1.5, not 1,5" : "");
}

// A separator at the end of a line begins no cell.
void drop_empty_ends(Row& row, std::size_t length) {
  while (row.size() > length && row.back().text.empty()) row.pop_back();
}

void make_length(Row& row, std::size_t length) {
  const Place end = row.empty() ? Place{} : row.back().place;
  while (row.size() < length) row.push_back({.place = end});
}

}  // namespace

std::optional<std::size_t> column_of(const Row& header, std::string_view name) {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (header[i].text == name) return i;
  return std::nullopt;
}

std::optional<std::size_t> Table::column(std::string_view name) const { return column_of(header, name); }

Style style_for(const TextFile& file) {
  if (file.name.ends_with(".tsv") || file.name.ends_with(".TSV")) return {.separator = '\t'};
  int balance = 0;  // of semicolons over commas, outside quotes
  bool quoted = false;
  for (const char c : first_line(file, {})) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == ';') ++balance;
    if (!quoted && c == ',') --balance;
  }
  return balance > 0 ? Style{.separator = ';', .decimal_comma = true} : Style{};
}

void read_rows(const TextFile& file, const Style& style, IssueLog& log, const std::function<void(const Row&)>& begin,
               const std::function<void(const Row&)>& take) {
  const char separator = style.separator;
  Row header;
  Row row;
  DecimalSigns decimals;
  int number = 0;
  for (std::string_view rest = file.text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    ++number;
    if (!is_content(line, style)) continue;
    const bool is_whole = LineReader(line, number, separator, log).read(row);
    if (!is_whole && header.empty()) return;  // without names the rest means nothing
    if (!is_whole) continue;
    if (header.empty()) {
      if (!is_well_separated(row, separator, log)) return;
      drop_empty_ends(row, 1);
      check_names(row, log);
      header = row;
      begin(header);
      continue;
    }
    drop_empty_ends(row, header.size());
    if (style.decimal_comma) std::for_each(row.begin(), row.end(), [&](Cell& cell) { decimals.read(cell); });
    if (style.short_rows) make_length(row, header.size());
    if (row.size() != header.size() && !is_empty(row)) {
      check_length(row, header, {number, static_cast<int>(line.size()) + 1}, separator, log);
    } else if (!is_empty(row)) {
      take(row);
    }
  }
  decimals.tell(log);
  if (header.empty() && log.empty()) log.add({1, 1}, "the file is empty", "its first line names the columns");
}

Row read_header(const TextFile& file, const Style& style) {
  IssueLog told_elsewhere(file.name);
  Row header;
  LineReader(first_line(file, style), 1, style.separator, told_elsewhere).read(header);
  return header;
}

Table read_table(const TextFile& file, const Style& style, IssueLog& log) {
  Table table;
  read_rows(
      file, style, log, [&](const Row& header) { table.header = header; },
      [&](const Row& row) { table.rows.push_back(row); });
  return table;
}

}  // namespace salvo::formats::csv
