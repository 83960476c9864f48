#include "report/figure/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "report/display_text.hpp"
#include "report/polyline.hpp"

namespace salvo::report::figure {
namespace {

constexpr std::array<std::string_view, 7> palette{"#0068a8", "#d0480a", "#00785a", "#a3478a",
                                                  "#8a6d00", "#3f8fc4", "#5b6675"};
constexpr std::string_view ink = "#1c2430";
constexpr std::string_view rule = "#9aa4b0";
constexpr std::string_view validation = "#a3478a";
constexpr std::size_t too_many_bars = 400;  // beyond it error bars are one grey area

// Where a number stands on an axis: itself, or its decadic logarithm.
double on(bool log, double value) { return log ? std::log10(value) : value; }
// Powers of ten that a double cannot hold are nowhere.
bool can_stand(bool log, double value) { return is_drawable(value) && (!log || value > 1e-150); }

// From numbers to pixels.
struct Placement {
  Box box{};
  Frame frame{};
  bool log_x = false;
  bool log_y = false;

  double x(double value) const { return box.left + box.width * (on(log_x, value) - frame.x.low) / frame.x.span(); }
  double y(double value) const { return box.top + box.height * (frame.y.high - on(log_y, value)) / frame.y.span(); }
  double bottom() const { return box.top + box.height; }
};

std::string path_of(const Placement& at, const std::vector<Point>& points) {
  std::vector<std::pair<double, double>> pixels;
  for (const Point& point : points) {
    const bool is_there = can_stand(at.log_x, point.x) && can_stand(at.log_y, point.y);
    pixels.push_back(is_there ? std::pair{at.x(point.x), at.y(point.y)} : std::pair{std::nan(""), std::nan("")});
  }
  return polyline_path(pixels, at.box.top - at.box.height, at.bottom() + at.box.height);
}

// Where a band has no end, or none on a logarithmic axis, it is left open there.
std::string draw_band(const Placement& at, const Band& band, std::string_view colour) {
  const auto inside = [&](double y) { return std::clamp(y, at.box.top - at.box.height, at.bottom() + at.box.height); };
  std::string upper;
  std::string lower;
  std::string svg;
  const auto finish = [&] {
    if (!upper.empty())
      svg += fmt::format("<path class=\"band\" d=\"M{}{}z\" fill=\"{}\" fill-opacity=\"0.18\"/>\n", upper.substr(1),
                         lower, colour);
    upper.clear();
    lower.clear();
  };
  for (std::size_t i = 0; i < band.x.size(); ++i) {
    const bool is_there =
        can_stand(at.log_x, band.x[i]) && is_drawable(band.lower[i]) && can_stand(at.log_y, band.upper[i]);
    if (!is_there) {
      finish();
      continue;
    }
    const double low = can_stand(at.log_y, band.lower[i]) ? inside(at.y(band.lower[i])) : at.bottom() + at.box.height;
    upper += fmt::format("L{:.1f} {:.1f}", at.x(band.x[i]), inside(at.y(band.upper[i])));
    lower.insert(0, fmt::format("L{:.1f} {:.1f}", at.x(band.x[i]), low));
  }
  finish();
  return svg;
}

// A value below or above a limit: an arrow from the limit to where it lies.
std::string limit_mark(double x, double y, int limit, std::string_view colour) {
  const double end = y - 9 * limit;
  return fmt::format(
      R"(<path class="limit" d="M{:.1f} {:.1f}h6M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}" fill="none" stroke="{}" stroke-width="1"/>)",
      x - 3, y, x, y, end, x - 2.2, end + 3 * limit, x, end, x + 2.2, end + 3 * limit, colour);
}

std::string draw_mark(const Placement& at, const Mark& mark, bool with_bar, std::string_view colour) {
  const double x = at.x(mark.at.x);
  const double y = at.y(mark.at.y);
  if (mark.limit != 0) return limit_mark(x, y, mark.limit, colour) + "\n";
  std::string svg;
  if (with_bar && mark.high > mark.low) {
    const double low = can_stand(at.log_y, mark.low) ? at.y(mark.low) : at.bottom() + at.box.height;
    svg += fmt::format(R"(<path class="sigma" d="M{:.1f} {:.1f}V{:.1f}" stroke="{}" stroke-width="0.7"/>)", x,
                       at.y(mark.high), low, colour);
  }
  svg += mark.fitted ? fmt::format(R"(<circle class="data" cx="{:.1f}" cy="{:.1f}" r="1.8" fill="{}"/>)", x, y, colour)
                     : fmt::format(R"(<circle class="data" cx="{:.1f}" cy="{:.1f}" r="1.8" fill="#fff" stroke="{}"/>)",
                                   x, y, colour);
  return svg + "\n";
}

std::string draw_marks(const Placement& at, const Panel& panel, bool several) {
  std::string svg;
  for (const Mark& mark : panel.marks) {
    if (!can_stand(at.log_x, mark.at.x) || !can_stand(at.log_y, mark.at.y)) continue;
    const std::string_view colour = several ? colour_of(mark.series) : mark.fitted ? ink : validation;
    svg += draw_mark(at, mark, panel.marks.size() <= too_many_bars, colour);
  }
  return svg;
}

Axis axis_of(const Range& range, bool log, double pixels, double spacing) {
  const int wanted = std::max(2, static_cast<int>(pixels / spacing));
  if (!log) return make_axis(range, wanted);
  return make_log_axis({std::pow(10.0, range.low), std::pow(10.0, range.high)}, wanted);
}

std::string draw_axes(const Placement& at, const Panel& panel) {
  const Box& box = at.box;
  std::string svg = fmt::format(R"(<path d="M{:.1f} {:.1f}V{:.1f}H{:.1f}" fill="none" stroke="{}"/>)", box.left,
                                box.top, at.bottom(), box.left + box.width, rule) +
                    "\n";
  const Axis y = axis_of(at.frame.y, panel.log_y, box.height, 22);
  for (std::size_t i = 0; i < y.ticks.size(); ++i)
    svg +=
        fmt::format(
            R"(<path d="M{0:.1f} {1:.1f}h-3" stroke="{2}"/><text x="{3:.1f}" y="{4:.1f}" text-anchor="end">{5}</text>)",
            box.left, at.y(y.ticks[i]), rule, box.left - 5, at.y(y.ticks[i]) + 0.35 * text_size, y.labels[i]) +
        "\n";
  const Axis x = axis_of(at.frame.x, panel.log_x, box.width, 34);
  for (std::size_t i = 0; i < x.ticks.size(); ++i)
    svg +=
        fmt::format(
            R"(<path d="M{0:.1f} {1:.1f}v3" stroke="{2}"/><text x="{0:.1f}" y="{3:.1f}" text-anchor="middle">{4}</text>)",
            at.x(x.ticks[i]), at.bottom(), rule, at.bottom() + 5 + text_size, x.labels[i]) +
        "\n";
  return svg;
}

std::string draw_names(const Box& place, const Box& box, const Panel& panel) {
  constexpr double character = 5.6;  // at the size of labels
  const auto room = [](double pixels) { return static_cast<std::size_t>(std::max(4.0, pixels / character)); };
  const double middle = box.top + box.height / 2;
  std::string svg =
      fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" font-size="{}" fill="{}">{}</text>)",
                  box.left + box.width / 2, place.top + place.height - 3, label_size, ink,
                  xml_text(shorten(panel.x_label, room(box.width))));
  svg += fmt::format(
      R"svg(<text transform="translate({:.1f} {:.1f}) rotate(-90)" text-anchor="middle" font-size="{}" fill="{}">{}</text>)svg",
      place.left + label_size, middle, label_size, ink, xml_text(shorten(panel.y_label, room(box.height))));
  if (!panel.title.empty())
    svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" font-size="{}" font-weight="600" fill="{}">{}</text>)", box.left,
                       place.top + label_size, label_size, ink, xml_text(shorten(panel.title, room(box.width))));
  return svg + "\n";
}

}  // namespace

std::string_view colour_of(int series) { return palette[static_cast<std::size_t>(series) % palette.size()]; }

Frame frame_of(const Panel& panel) {
  std::vector<double> x;
  std::vector<double> data;
  std::vector<double> ends;
  std::vector<double> curves;
  const auto add = [](std::vector<double>& to, bool log, double value) {
    if (can_stand(log, value)) to.push_back(on(log, value));
  };
  for (const Mark& mark : panel.marks) {
    add(x, panel.log_x, mark.at.x);
    add(data, panel.log_y, mark.at.y);
    add(ends, panel.log_y, mark.low);
    add(ends, panel.log_y, mark.high);
  }
  for (const Curve& curve : panel.curves)
    for (const Point& point : curve.points) {
      // A curve on a logarithmic axis may begin at 0, decades before anything was measured.
      if (!panel.log_x || panel.marks.empty()) add(x, panel.log_x, point.x);
      add(curves, panel.log_y, point.y);
    }
  const Range y = panel_range(data, ends, curves);
  const bool from_zero = !panel.log_y && y.low >= 0;
  return {.x = with_margin(range_of(x), 0.02), .y = from_zero ? with_zero(with_margin(y, 0.05)) : with_margin(y, 0.05)};
}

Frame joined(const Frame& a, const Frame& b) {
  const auto both = [](const Range& p, const Range& q) {
    return Range{std::min(p.low, q.low), std::max(p.high, q.high)};
  };
  return {both(a.x, b.x), both(a.y, b.y)};
}

std::string draw(const Panel& panel, const Frame& frame, const Box& place, const Look& look) {
  constexpr double left = 48;
  constexpr double right = 10;
  constexpr double below = 34;
  const double above = panel.title.empty() ? 8 : 18;
  const Box box{place.left + left, place.top + above, place.width - left - right, place.height - above - below};
  const Placement at{box, frame, panel.log_x, panel.log_y};
  std::string svg = fmt::format(
      "<g><clipPath id=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n",
      look.clip_id, box.left, box.top - 3, box.width + 3, box.height + 3);
  svg += draw_axes(at, panel) + draw_names(place, box, panel);
  svg += fmt::format("<g clip-path=\"url(#{})\">\n", look.clip_id);
  for (const Band& band : panel.bands) svg += draw_band(at, band, colour_of(look.several ? band.series : 0));
  for (const Curve& curve : panel.curves)
    if (const std::string path = path_of(at, curve.points); !path.empty())
      svg += fmt::format(R"(<path class="curve" d="{}" fill="none" stroke="{}" stroke-width="1.3"/>)", path,
                         colour_of(look.several ? curve.series : 0)) +
             "\n";
  return svg + draw_marks(at, panel, look.several) + "</g></g>\n";
}

}  // namespace salvo::report::figure
