#include "formats/problem/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/words.hpp"
#include "formats/dates.hpp"
#include "formats/problem/time_column.hpp"
#include "formats/problem/values.hpp"
#include "model/faults.hpp"

namespace salvo::formats {
namespace {

using csv::Cell;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_nan_word(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text == "nan" || text == "n/a" || text == "null" || text == "-nan";
}

}  // namespace

bool is_gap(const Cell& cell) { return cell.text.empty() || cell.text == "NA"; }

std::optional<double> CellReader::finite(const Cell& cell, std::string_view what) {
  const std::optional<double> number = parse_number(cell.text);
  if (number && std::isfinite(*number)) return number;
  if (number || is_nan_word(cell.text)) {
    repeated_.add(fmt::format("{} is not finite", what), cell.place,
                  fmt::format("{} is '{}'; it must be a finite number", what, cell.text), without_);
  } else {
    const BadNumber bad = explain_bad_number(cell.text);
    const std::string message = fmt::format("{} cannot be read: {}", what, bad.message);
    if (bad.hint.empty())
      log_.add(cell.place, message);
    else
      repeated_.add(bad.hint, cell.place, message, bad.hint);
  }
  return std::nullopt;
}

std::optional<double> CellReader::time(const Cell& cell) {
  if (is_gap(cell)) {
    log_.add(cell.place, "the time is missing in this row");
    return std::nullopt;
  }
  const std::optional<double> number = parse_number(cell.text);
  if (number == infinity) return infinity;
  const std::optional<double> date = number ? std::nullopt : parse_date(cell.text);
  if (!number && !date && looks_like_date(cell.text)) {
    repeated_.add("unreadable dates", cell.place, fmt::format("the time '{}' is no date that can be read", cell.text),
                  "write dates as year-month-day: 2024-03-01 or 2024-03-01 14:30");
    return std::nullopt;
  }
  if (date && !draft_.calendar) {
    repeated_.add("dates", cell.place, fmt::format("the times are dates, such as '{}'", cell.text),
                  fmt::format("write in the problem file how they are counted, as in time: {{unit: day, from: {}}}",
                              cell.text.substr(0, 10)));
    return std::nullopt;
  }
  if (has_dates_.value_or(date.has_value()) != date.has_value()) {
    repeated_.add("dates and numbers", cell.place,
                  fmt::format("the time '{}' is {}, but those above are {}", cell.text, date ? "a date" : "no date",
                              date ? "numbers" : "dates"),
                  "a column of times holds either dates or numbers");
    return std::nullopt;
  }
  has_dates_ = date.has_value();
  if (date) return time_of(*draft_.calendar, *date);
  if (number && model::is_too_late(*number)) {
    repeated_.add("late", cell.place, fmt::format("the time {} is too far from zero to compute with", cell.text),
                  "count the time in another unit");
    return std::nullopt;
  }
  const std::optional<double> time = number && std::isfinite(*number) ? number : finite(cell, "the time");
  return time ? std::optional(scaled_time(*time, time_scale_)) : std::nullopt;
}

}  // namespace salvo::formats
