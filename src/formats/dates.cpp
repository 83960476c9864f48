#include "formats/dates.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/words.hpp"

namespace salvo::formats {
namespace {

constexpr double minute = 60;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes exactly `digits` digits off the front of the text.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits || !std::all_of(text.begin(), text.begin() + digits, is_digit)) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, digits)) number = 10 * number + (c - '0');
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> take_day(std::string_view& text) {
  const auto y = take_number(text, 4);
  if (!y || !take(text, '-')) return std::nullopt;
  const auto m = take_number(text, 2);
  if (!m || !take(text, '-')) return std::nullopt;
  const auto d = take_number(text, 2);
  if (!d) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*y), std::chrono::month(static_cast<unsigned>(*m)),
                                         std::chrono::day(static_cast<unsigned>(*d))};
  if (!date.ok()) return std::nullopt;
  return day * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

// 14:30, 14:30:05 or 14:30:05.5
std::optional<double> time_of_day(std::string_view text) {
  const auto h = take_number(text, 2);
  if (!h || *h > 23 || !take(text, ':')) return std::nullopt;
  const auto m = take_number(text, 2);
  if (!m || *m > 59) return std::nullopt;
  const double whole_minutes = hour * *h + minute * *m;
  if (text.empty()) return whole_minutes;
  if (!take(text, ':') || text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return std::nullopt;
  const std::optional<double> seconds = parse_number(text);
  if (!seconds || *seconds >= 60 || (text.size() > 2 && text[2] != '.')) return std::nullopt;
  return whole_minutes + *seconds;
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  const std::optional<double> midnight = take_day(text);
  if (!midnight || text.empty()) return midnight;
  if (!take(text, ' ') && !take(text, 'T')) return std::nullopt;
  const std::optional<double> since_midnight = time_of_day(text);
  if (!since_midnight) return std::nullopt;
  return *midnight + *since_midnight;
}

bool looks_like_date(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return false;
  if (text.find_first_not_of("0123456789-/.:TZ +") != std::string_view::npos) return false;
  const auto count = [&](char c) { return std::count(text.begin(), text.end(), c); };
  const bool is_month = text.size() == 7 && text[4] == '-';
  return is_month || count(':') > 0 || count('-') == 2 || count('/') == 2 || count('.') == 2;
}

std::optional<double> seconds_in_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 23> known{{{"us", 1e-6},
                                                                       {"microsecond", 1e-6},
                                                                       {"microseconds", 1e-6},
                                                                       {"ms", 1e-3},
                                                                       {"millisecond", 1e-3},
                                                                       {"milliseconds", 1e-3},
                                                                       {"s", 1},
                                                                       {"sec", 1},
                                                                       {"second", 1},
                                                                       {"seconds", 1},
                                                                       {"min", minute},
                                                                       {"minute", minute},
                                                                       {"minutes", minute},
                                                                       {"h", hour},
                                                                       {"hr", hour},
                                                                       {"hour", hour},
                                                                       {"hours", hour},
                                                                       {"d", day},
                                                                       {"day", day},
                                                                       {"days", day},
                                                                       {"w", 7 * day},
                                                                       {"week", 7 * day},
                                                                       {"weeks", 7 * day}}};
  for (const auto& [name, seconds] : known)
    if (name == unit) return seconds;
  return std::nullopt;
}

}  // namespace salvo::formats
