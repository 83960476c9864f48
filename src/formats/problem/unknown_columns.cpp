#include "formats/problem/unknown_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/words.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;

// As it may stand in a list or map in braces.
std::string in_yaml(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || std::string_view(" _()./%").find(c) < 7; };
  return std::all_of(name.begin(), name.end(), is_plain) ? name : "\"" + name + "\"";
}

std::string listed(const std::vector<Cell>& cells, std::string_view before, std::string_view after) {
  constexpr std::size_t most = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(cells.size(), most); ++i)
    out += fmt::format("{}{}{}{}", i == 0 ? "" : ", ", before, cells[i].text, after);
  return cells.size() > most ? out + ", ..." : out;
}

std::string hint(const UnknownColumns& unknown, const std::string& file) {
  const std::string name = in_yaml(std::filesystem::path(file).filename().string());
  if (unknown.is_time_missing)
    return fmt::format("say what the columns are: data: {{file: {}, time: {}, columns: {{{}: NAME}}, ignore: [NAME]}}",
                       name, in_yaml(unknown.cells[0].text),
                       unknown.observables.empty() ? "OBSERVABLE" : unknown.observables[0]);
  std::vector<Cell> quoted = unknown.cells;
  for (Cell& cell : quoted) cell.text = in_yaml(cell.text);
  return fmt::format("{}; or leave columns out: data: {{file: {}, ignore: [{}]}}", hint_for_unknown("", unknown.known),
                     name, listed(quoted, "", ""));
}

// Data below a limit that are taken for numbers spoil a fit: nobody is told to ignore what marks them.
bool is_censoring(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::vector<std::string> names{"CENS", "CENSORED", "BLQ", "BQL", "BLOQ", "LLOQ", "LOQ"};
  return std::find(names.begin(), names.end(), text) != names.end();
}

// What can be put right in the table itself is told there; the rest is left.
std::vector<Cell> report_slips(const UnknownColumns& unknown, IssueLog& log) {
  std::vector<Cell> others;
  for (const Cell& cell : unknown.cells)
    if (cell.text.empty())
      log.add(cell.place, "a column has no name", "the first line of the table names the columns");
    else if (cell.text == "noise")
      log.add(cell.place, "unknown column 'noise'",
              "noise of each value needs the columns time,observable,value,noise");
    else if (is_censoring(cell.text))
      log.add(cell.place, fmt::format("unknown column '{}', which seems to say what is below a limit", cell.text),
              "write such values as <0.1 or >50, or name the format: data: {file: ..., format: nonmem}");
    else if (nearest_word(cell.text, unknown.known))
      log.add(cell.place, fmt::format("unknown column '{}'", cell.text), hint_for_unknown(cell.text, unknown.known));
    else
      others.push_back(cell);
  return others;
}

bool is_time_misspelt(const UnknownColumns& unknown) {
  return std::any_of(unknown.cells.begin(), unknown.cells.end(),
                     [&](const Cell& cell) { return nearest_word(cell.text, unknown.known) == "time"; });
}

}  // namespace

void report_unknown_columns(const UnknownColumns& unknown, const csv::Row& header, IssueLog& log) {
  UnknownColumns rest = unknown;
  rest.is_time_missing = unknown.is_time_missing && !is_time_misspelt(unknown);
  rest.cells = report_slips(unknown, log);
  if (rest.cells.empty()) {
    if (rest.is_time_missing)
      log.add(header[0].place, "the column 'time' is missing", "the first line of the table names the columns");
    return;
  }
  const std::string names = listed(rest.cells, "'", "'");
  const bool is_one = rest.cells.size() == 1;
  log.add(rest.cells[0].place,
          rest.is_time_missing
              ? fmt::format("no column is called 'time', and {} {} unknown", names, is_one ? "is" : "are")
              : fmt::format("unknown column{} {}", is_one ? "" : "s", names),
          hint(rest, log.file()));
}

}  // namespace salvo::formats
