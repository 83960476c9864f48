#include "formats/problem/time_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "formats/dates.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;
using yaml::Node;

// What one unit of the table is in units of the problem.
std::optional<double> ratio_of_units(Draft& draft, const Node& unit, const std::string& text) {
  const std::string& of_problem = draft.problem.time_axis.unit;
  const std::optional<double> from = seconds_in_unit(text);
  const std::optional<double> to = seconds_in_unit(of_problem);
  if (from && to) return *from / *to;
  if (!from)
    draft.log.add(unit.place, fmt::format("'{}' is not a unit of time that can be converted", text.substr(0, 40)),
                  "known: us, ms, s, min, h, day and week; for others write the factor: scale: 0.001");
  else
    draft.log.add(unit.place,
                  of_problem.empty()
                      ? fmt::format("times in {} cannot be converted: the problem states no unit of its time", text)
                      : fmt::format("times in {} cannot be converted into '{}', the unit of the problem's time", text,
                                    of_problem),
                  "write time: {unit: s} in the problem file, or the factor here: scale: 0.001");
  return std::nullopt;
}

// "(ms)" and "[ms]" without their brackets.
std::string_view without_brackets(std::string_view text) {
  const bool is_bracketed =
      text.size() > 2 && ((text.front() == '(' && text.back() == ')') || (text.front() == '[' && text.back() == ']'));
  return is_bracketed ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

double scaled_time(double time, double scale) {
  constexpr double rounding = 1e-15;
  const double whole = std::round(1 / scale);
  return whole > 1 && std::abs(whole * scale - 1) <= rounding ? time / whole : time * scale;
}

TimeColumn read_time_column(Draft& draft, const Node& node, const std::string& what) {
  TimeColumn column;
  if (node.kind != Node::Kind::map) {
    if (read_text(draft, node, "the column of the time")) column.name = &node;
    return column;
  }
  check_options(draft, node, fmt::format("the time of {}", what), std::vector<std::string>{"column", "unit", "scale"});
  if (const Node* name = node.find("column"))
    if (read_text(draft, *name, "the column of the time")) column.name = name;
  const Node* unit = node.find("unit");
  const Node* scale = node.find("scale");
  if (unit != nullptr && scale != nullptr)
    draft.log.add(scale->place, "the unit of the time says its scale already", "write one of them");
  else if (scale != nullptr)
    column.scale = read_positive(draft, *scale, "the scale of the time").value_or(1);
  else if (unit != nullptr)
    if (const auto text = read_text(draft, *unit, "the unit of the time")) {
      column.scale = ratio_of_units(draft, *unit, *text).value_or(1);
      column.unit = *text;
    }
  return column;
}

bool is_row_of_units(const csv::Row& row, std::size_t time) {
  const auto is_text = [](const Cell& cell) { return !parse_number(cell.text) && !looks_like_date(cell.text); };
  const std::string& unit = row[time].text;
  return (seconds_in_unit(unit) || without_brackets(unit) != unit) && std::all_of(row.begin(), row.end(), is_text);
}

void check_row_of_units(const Draft& draft, const Cell& time, const TimeColumn& column, IssueLog& log) {
  const std::string unit(without_brackets(time.text));
  const std::string& counted = column.unit.empty() ? draft.problem.time_axis.unit : column.unit;
  const std::optional<double> here = seconds_in_unit(unit);
  const std::optional<double> there = seconds_in_unit(counted);
  if (!here || !there || *here == *there || (column.unit.empty() && column.scale != 1)) return;
  log.add(time.place, fmt::format("the times of this table are in {}, but are taken to be in {}", unit, counted),
          fmt::format("write how they are counted: time: {{column: NAME, unit: {}}}", unit));
}

}  // namespace salvo::formats
