#include "report/field_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/axis.hpp"
#include "report/display_text.hpp"

namespace salvo::report {
namespace {

// Viridis, of matplotlib: as light as it is large, for every eye and on every printer.
constexpr std::array<std::array<double, 3>, 9> ramp{{{68, 1, 84},
                                                     {71, 44, 122},
                                                     {59, 81, 139},
                                                     {44, 113, 142},
                                                     {33, 144, 141},
                                                     {39, 173, 129},
                                                     {92, 200, 99},
                                                     {170, 220, 50},
                                                     {253, 231, 37}}};
constexpr int levels = 32;

// Of a level, or of what lies between.
std::string colour_of(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * (ramp.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), ramp.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(
        std::lround(ramp[below][c] + (at - static_cast<double>(below)) * (ramp[below + 1][c] - ramp[below][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

constexpr double map_width = 640;
constexpr double map_height = 330;
constexpr double room_left = 66, room_right = 92, room_above = 34, room_below = 50;  // of a map, for its axes

struct Scale {
  Range of{};
  double from = 0, to = 1;  // pixels
  double operator()(double value) const { return from + (value - of.low) / of.span() * (to - from); }
};

// Where a number of a list begins and ends to count.
std::pair<double, double> around(const std::vector<double>& numbers, std::size_t i) {
  const double from = i == 0 ? numbers[0] : (numbers[i - 1] + numbers[i]) / 2;
  const double to = i + 1 == numbers.size() ? numbers[i] : (numbers[i] + numbers[i + 1]) / 2;
  return {from, to};
}

int level_of(double value, const Range& shown) {
  return std::clamp(static_cast<int>((value - shown.low) / shown.span() * levels), 0, levels - 1);
}

// Runs of one colour are one rectangle, and all of one colour one path.
std::string draw_values(const FieldMap& map, const Range& shown, const Scale& x, const Scale& y) {
  std::array<std::string, levels> paths;
  for (std::size_t k = 0; k < map.time.size(); ++k) {
    const auto [begin, end] = around(map.time, k);
    for (std::size_t i = 0; i < map.place.size();) {
      std::size_t last = i;
      if (std::isfinite(map.value[k][i])) {
        const int level = level_of(map.value[k][i], shown);
        while (last + 1 < map.place.size() && std::isfinite(map.value[k][last + 1]) &&
               level_of(map.value[k][last + 1], shown) == level)
          ++last;
        const double x0 = x(around(map.place, i).first);
        const double x1 = x(around(map.place, last).second);
        paths[level] += fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}z", x0, y(begin), x1, y(end), x0);
      }
      i = last + 1;
    }
  }
  std::string svg;
  for (int level = 0; level < levels; ++level)
    if (!paths[level].empty())
      svg += fmt::format("<path class=\"level\" shape-rendering=\"crispEdges\" d=\"{}\" fill=\"{}\"/>\n", paths[level],
                         colour_of((level + 0.5) / levels));
  return svg;
}

std::string draw_axes(const FieldMap& map, const Scale& x, const Scale& y) {
  std::string svg;
  const Axis over = make_axis(x.of, 7);
  for (std::size_t i = 0; i < over.ticks.size(); ++i)
    svg += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v5\"/><text class=\"soft\" x=\"{0:.1f}\" y=\"{2:.1f}\" "
        "text-anchor=\"middle\">{3}</text>\n",
        x(over.ticks[i]), y.from, y.from + 19, over.labels[i]);
  const Axis up = make_axis(y.of, 6);
  for (std::size_t i = 0; i < up.ticks.size(); ++i)
    svg += fmt::format(
        "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}h-5\"/><text class=\"soft\" x=\"{2:.1f}\" y=\"{3:.1f}\" "
        "text-anchor=\"end\">{4}</text>\n",
        x.from, y(up.ticks[i]), x.from - 8, y(up.ticks[i]) + 4, up.labels[i]);
  svg += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x.to,
                     y.from + 38, xml_text(shorten(map.place_name, 50)));
  svg +=
      fmt::format("<text class=\"soft\" transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"end\">{}</text>\n",
                  y.to, xml_text(shorten(map.time_name, 40)));
  return svg;
}

std::string draw_bar(const Range& shown, const Scale& y) {
  const double at = map_width - room_right + 18;
  std::string svg;
  const double step = (y.to - y.from) / levels;
  for (int level = 0; level < levels; ++level)
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"14\" height=\"{:.2f}\" fill=\"{}\"/>", at,
                       y.from + (level + 1) * step, -step + 0.3, colour_of((level + 0.5) / levels));
  const Axis axis = make_axis(shown, 6);
  const Scale along{shown, y.from, y.to};
  for (std::size_t i = 0; i < axis.ticks.size(); ++i)
    svg += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", at + 19, along(axis.ticks[i]) + 4,
                       axis.labels[i]);
  return svg + "\n";
}

Range range_shown(const FieldMap& map) {
  std::vector<double> all;
  for (const auto& row : map.value) all.insert(all.end(), row.begin(), row.end());
  for (const FieldMap::Point& point : map.data) all.push_back(point.value);
  return with_margin(range_of(all), 0);
}

std::string draw_map(const FieldMap& map, double top) {
  const Range shown = range_shown(map);
  const Scale x{with_margin({map.place.front(), map.place.back()}, 0), room_left, map_width - room_right};
  const Scale y{with_margin({map.time.front(), map.time.back()}, 0), top + map_height - room_below, top + room_above};
  std::string svg =
      fmt::format("<text class=\"ink\" x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"600\" font-size=\"14\">{}</text>\n",
                  room_left, top + 22, xml_text(shorten(map.name, 60)));
  svg += draw_values(map, shown, x, y) + draw_axes(map, x, y) + draw_bar(shown, y);
  for (const FieldMap::Point& point : map.data)
    if (is_drawable(point.value) && point.time >= y.of.low && point.time <= y.of.high)
      svg += fmt::format(
          "<circle class=\"data\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"#ffffff\" "
          "stroke-width=\"1.2\"/>\n",
          x(point.place), y(point.time), colour_of((point.value - shown.low) / shown.span()));
  return svg;
}

}  // namespace

std::vector<FieldMap> field_maps(const model::Problem& problem, const FitResult& result) {
  std::vector<FieldMap> out;
  for (const FieldPicture& picture : result.field_pictures) {
    if (picture.map.empty()) continue;
    const model::Observable& observable = problem.observables[picture.observable];
    const std::string name = model::axis_text(observable.id, observable.axis);
    const std::string& experiment = problem.experiments[picture.experiment].id;
    FieldMap map{.name = problem.experiments.size() > 1 ? experiment + ", " + name : name,
                 .place_name = model::axis_text(problem.space[0].id, problem.space[0].axis),
                 .time_name = model::axis_text("time", problem.time_axis),
                 .place = picture.place,
                 .time = picture.time,
                 .value = picture.map};
    for (const auto* list : {&problem.measurements, &problem.validation})
      for (const model::Measurement& m : *list)
        if (m.experiment == picture.experiment && m.observable == picture.observable && m.place[0])
          map.data.push_back({*m.place[0], m.time, m.value});
    out.push_back(std::move(map));
  }
  return out;
}

std::string fields_svg(const std::string& title, const std::vector<FieldMap>& maps) {
  const double head = title.empty() ? 30 : 52;
  const double height = head + map_height * static_cast<double>(maps.size());
  std::string svg = fmt::format(
      R"svg(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" role="img" font-family="Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif" font-size="12.5">
<title>{2}</title>
<style>
.paper {{ fill: #ffffff }} .ink {{ fill: #111827 }} .soft {{ fill: #4b5563 }} .axis {{ fill: none; stroke: #9ca3af }}
@media (prefers-color-scheme: dark) {{
.paper {{ fill: #14181d }} .ink {{ fill: #e8ebef }} .soft {{ fill: #a4aeba }} .axis {{ stroke: #5b6675 }}
}}
</style>
<rect class="paper" width="{0:.0f}" height="{1:.0f}"/>
)svg",
      map_width, height, xml_text(title.empty() ? "Fields over space and time" : title));
  if (!title.empty())
    svg += fmt::format("<text class=\"ink\" x=\"20\" y=\"32\" font-size=\"18\" font-weight=\"700\">{}</text>\n",
                       xml_text(shorten(title, 55)));
  svg += fmt::format(
      "<text class=\"soft\" x=\"20\" y=\"{:.0f}\">Over space and time; circles are data in the colours of the "
      "map</text>\n",
      title.empty() ? 22.0 : 50.0);
  for (std::size_t k = 0; k < maps.size(); ++k) svg += draw_map(maps[k], head + map_height * static_cast<double>(k));
  return svg + "</svg>\n";
}

}  // namespace salvo::report
