#include "report/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "report/display_text.hpp"
#include "report/polyline.hpp"

namespace salvo::report {
namespace {

constexpr std::array<std::string_view, 7> palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                  "#56B4E9", "#E69F00", "#000000"};
constexpr std::string_view axis_colour = "#6b7280";
constexpr std::string_view grid_colour = "#e8eaed";
constexpr std::string_view text_colour = "#374151";

// From numbers to pixels.
struct Placement {
  Box box{};
  Range time{};
  Range value{};

  double x(double t) const { return box.left + box.width * (t - time.low) / time.span(); }
  double y(double v) const { return box.top + box.height * (value.high - v) / value.span(); }
  bool shows(double t, double v) const { return t >= time.low && t <= time.high && v >= value.low && v <= value.high; }
};

Range values_shown(const Panel& panel, const std::vector<Arc>& arcs) {
  std::vector<double> data;
  std::vector<double> ends;
  std::vector<double> curves;
  for (const auto& point : panel.data) {
    data.push_back(point.value);
    ends.push_back(point.low);
    ends.push_back(point.high);
  }
  for (const auto& arc : arcs)
    for (int i = 0; i < arc.observables.cols; ++i) curves.push_back(arc.observables(panel.observable, i));
  const Range shown = panel_range(data, ends, curves);
  return shown.low >= 0 ? with_zero(with_margin(shown, 0.06)) : with_margin(shown, 0.06);
}

std::string draw_axes(const Placement& at, const Axis& time, const Axis& value) {
  const Box& box = at.box;
  std::string svg;
  for (std::size_t i = 0; i < value.ticks.size(); ++i) {
    const double y = at.y(value.ticks[i]);
    svg += fmt::format(R"(<path d="M{:.1f} {:.1f}h{:.1f}" stroke="{}"/>)", box.left, y, box.width, grid_colour);
    svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end" fill="{}">{}</text>)", box.left - 8, y + 4,
                       text_colour, value.labels[i]);
    svg += '\n';
  }
  const double bottom = box.top + box.height;
  for (std::size_t i = 0; i < time.ticks.size(); ++i) {
    const double x = at.x(time.ticks[i]);
    svg += fmt::format(R"(<path d="M{:.1f} {:.1f}v5" stroke="{}"/>)", x, bottom, axis_colour);
    svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" fill="{}">{}</text>)", x, bottom + 19,
                       text_colour, time.labels[i]);
    svg += '\n';
  }
  svg += fmt::format(R"(<path d="M{:.1f} {:.1f}h{:.1f}" stroke="{}"/>)", box.left, bottom, box.width, axis_colour);
  svg += '\n';
  return svg;
}

std::string draw_names(const Box& box, const Panel& panel) {
  constexpr double character = 8.8;
  const auto room = static_cast<std::size_t>(box.width / character);
  std::string svg =
      fmt::format(R"(<text x="{:.1f}" y="{:.1f}" font-weight="600" font-size="14" fill="#111827">{}</text>)", box.left,
                  box.top - 11, xml_text(shorten(panel.name, room)));
  svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end" fill="{}">{}</text>)", box.left + box.width,
                     box.top + box.height + 36, text_colour, xml_text(shorten(panel.time_name, room)));
  return svg + "\n";
}

std::vector<std::pair<double, double>> pixels_of(const Arc& arc, int observable, const Placement& at) {
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i < arc.observables.cols; ++i)
    points.push_back({at.x(arc.time[static_cast<std::size_t>(i)]), at.y(arc.observables(observable, i))});
  return points;
}

// What still separates the end of one interval from the node of the next. Two arcs of one interval are what an event
// has parted.
std::string draw_gap(const Arc& arc, const Arc& next, int observable, const Placement& at, std::string_view colour) {
  constexpr double visible_pixels = 1.5;
  if (arc.experiment != next.experiment || arc.interval == next.interval || arc.observables.cols == 0 ||
      next.observables.cols == 0)
    return {};
  const double end = at.y(arc.observables(observable, arc.observables.cols - 1));
  const double begin = at.y(next.observables(observable, 0));
  if (!is_drawable(end) || !is_drawable(begin) || std::abs(end - begin) < visible_pixels) return {};
  const double x = at.x(next.time.front());
  const auto path = polyline_path({{x, end}, {x, begin}}, at.box.top - at.box.height, at.box.top + 2 * at.box.height);
  return fmt::format(
             R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.2" stroke-dasharray="2 2.5" opacity="0.65"/>)",
             path, colour) +
         "\n";
}

std::string draw_arcs(const Panel& panel, const std::vector<Arc>& arcs, int experiment_count, const Placement& at) {
  const double spacing = at.box.width * experiment_count / std::max<double>(1, static_cast<double>(arcs.size()));
  const double radius = std::clamp(spacing / 6, 1.2, 4.5);
  std::string lines;
  std::string nodes;
  for (std::size_t j = 0; j < arcs.size(); ++j) {
    const Arc& arc = arcs[j];
    const std::string_view colour = ink_of(arc.experiment, experiment_count).line;
    if (j + 1 < arcs.size()) lines += draw_gap(arc, arcs[j + 1], panel.observable, at, colour);
    const auto points = pixels_of(arc, panel.observable, at);
    const auto path = polyline_path(points, at.box.top - at.box.height, at.box.top + 2 * at.box.height);
    if (!path.empty())
      lines +=
          fmt::format(R"(<path class="arc" d="{}" fill="none" stroke="{}" stroke-width="2"/>)", path, colour) + "\n";
    const bool is_node = j == 0 || arcs[j - 1].experiment != arc.experiment || arcs[j - 1].interval != arc.interval;
    if (is_node && !points.empty() && at.shows(arc.time.front(), arc.observables(panel.observable, 0)))
      nodes += node_mark(points.front().first, points.front().second, radius, colour) + "\n";
  }
  return lines + nodes;
}

// Beyond it error bars are one grey area, and points that lie on each other are drawn once.
constexpr std::size_t too_many_to_see = 5000;

std::string draw_error_bars(const Panel& panel, int experiment_count, const Placement& at) {
  constexpr std::size_t crowded = 80;
  if (panel.data.size() > too_many_to_see) return {};
  std::string svg = fmt::format("<g opacity=\"{}\">\n", panel.data.size() > crowded ? 0.4 : 1);
  for (const auto& point : panel.data) {
    const Range bar{std::max(point.low, at.value.low - at.value.span()),
                    std::min(point.high, at.value.high + at.value.span())};
    if (!is_drawable(point.time) || !(bar.span() > 0)) continue;
    svg += error_bar(at.x(point.time), at.y(bar.high), at.y(bar.low), ink_of(point.experiment, experiment_count).data);
    svg += '\n';
  }
  return svg + "</g>\n";
}

std::string draw_data(const Panel& panel, int experiment_count, const Placement& at) {
  const auto cell_of = [](double pixel) { return static_cast<int>(std::clamp(pixel, -1e6, 1e6) / 2); };
  std::string svg;
  std::set<std::tuple<const char*, int, int>> taken;  // a colour is one of the palette, wherever it is asked for
  for (const auto& point : panel.data) {
    if (!is_drawable(point.value) || !is_drawable(point.time)) continue;
    const std::string_view colour = ink_of(point.experiment, experiment_count).data;
    const std::tuple place{colour.data(), cell_of(at.x(point.time)), cell_of(at.y(point.value))};
    if (panel.data.size() > too_many_to_see && !taken.insert(place).second) continue;
    svg += data_mark(at.x(point.time), at.y(point.value), point.fitted, colour) + "\n";
  }
  return svg;
}

}  // namespace

Ink ink_of(int experiment, int experiment_count) {
  if (experiment_count == 1) return {palette[0], palette[1]};
  const std::string_view colour = palette[static_cast<std::size_t>(experiment) % palette.size()];
  return {colour, colour};
}

std::string node_mark(double x, double y, double radius, std::string_view colour) {
  return fmt::format(
      R"(<circle class="node" cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="#ffffff" stroke="{}" stroke-width="1.6"/>)", x,
      y, radius, colour);
}

std::string data_mark(double x, double y, bool fitted, std::string_view colour) {
  if (fitted) return fmt::format(R"(<circle class="data" cx="{:.1f}" cy="{:.1f}" r="2.4" fill="{}"/>)", x, y, colour);
  return fmt::format(
      R"(<path class="data" d="M{:.1f} {:.1f}l4 4l-4 4l-4-4z" fill="#ffffff" stroke="{}" stroke-width="1.4"/>)", x,
      y - 4, colour);
}

std::string error_bar(double x, double top, double bottom, std::string_view colour) {
  return fmt::format(
      R"(<path class="sigma" d="M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h5M{3:.1f} {2:.1f}h5" stroke="{4}" stroke-width="1.2"/>)",
      x, top, bottom, x - 2.5, colour);
}

std::string draw_panel(const Panel& panel, const std::vector<Arc>& arcs, int experiment_count, const Range& time_range,
                       const Box& frame, std::string_view clip_id) {
  constexpr double left = 58;
  constexpr double right = 14;
  constexpr double above = 32;
  constexpr double below = 44;
  const Box box{frame.left + left, frame.top + above, frame.width - left - right, frame.height - above - below};
  const Placement at{box, time_range, values_shown(panel, arcs)};

  std::string svg =
      fmt::format(R"(<g><clipPath id="{}"><rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/></clipPath>)",
                  clip_id, box.left - 6, box.top - 4, box.width + 12, box.height + 9);
  svg += '\n';
  svg += draw_axes(at, make_axis(at.time, static_cast<int>(box.width / 60)),
                   make_axis(at.value, static_cast<int>(box.height / 33)));
  svg += draw_names(box, panel);
  svg += fmt::format("<g clip-path=\"url(#{})\">\n", clip_id);
  svg += draw_error_bars(panel, experiment_count, at);
  svg += draw_arcs(panel, arcs, experiment_count, at);
  svg += draw_data(panel, experiment_count, at);
  return svg + "</g></g>\n";
}

}  // namespace salvo::report
