#include <fmt/format.h>

#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

std::optional<double> length_of_unit(Draft& draft, const Node& section) {
  const Node* unit = section.find("unit");
  if (unit == nullptr) {
    draft.log.add(section.place, "dates need the unit in which time counts", "write time: {unit: day, from: ...}");
    return std::nullopt;
  }
  const std::optional<double> seconds = unit->is_text() ? seconds_in_unit(unit->text) : std::nullopt;
  if (!seconds)
    draft.log.add(unit->place, fmt::format("dates cannot be counted in {}", kind_in_words(*unit)),
                  "the unit may be second, minute, hour, day or week");
  return seconds;
}

}  // namespace

void read_time_axis(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'time'")) return;
  check_options(draft, section, "time", std::vector<std::string>{"unit", "label", "from"});
  model::Axis& axis = draft.problem.time_axis;
  axis = read_axis(draft, section, "the time");
  const Node* from = section.find("from");
  if (from == nullptr) return;
  const std::optional<std::string> text = read_text(draft, *from, "'from' of the time");
  if (!text) return;
  const std::optional<double> seconds = parse_date(*text);
  const std::optional<double> unit = length_of_unit(draft, section);
  if (!seconds)
    draft.log.add(from->place, fmt::format("'{}' is no date", text->substr(0, 40)),
                  "write year-month-day, as in 2024-03-01 or 2024-03-01 14:30");
  if (!seconds || !unit) return;
  draft.calendar = draft.problem.calendar = Calendar{.from = *seconds, .unit_seconds = *unit};
  if (axis.label.empty()) axis.label = fmt::format("time since {}", *text);
}

}  // namespace salvo::formats
