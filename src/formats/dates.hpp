#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/problem.hpp"

namespace salvo::formats {

using model::Calendar;

// Seconds since 1970 of 2024-03-01, 2024-03-01 14:30, 2024-03-01T14:30:05.5; a final Z is read over, as nothing is said
// of the zones of other dates. Leap days count, leap seconds do not.
std::optional<double> parse_date(std::string_view text);

// Is it a date or a time of day in any way of writing: 1.3.2024, 03/01/24, 2024-03, 14:30?
bool looks_like_date(std::string_view text);

// Length of a unit of time: microsecond, millisecond, second, minute, hour, day, week and what they are called for
// short.
std::optional<double> seconds_in_unit(std::string_view unit);

// The time of a date.
inline double time_of(const Calendar& calendar, double seconds) {
  return (seconds - calendar.from) / calendar.unit_seconds;
}

}  // namespace salvo::formats
