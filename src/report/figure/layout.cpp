#include "report/figure/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/display_text.hpp"
#include "report/figure/draw.hpp"
#include "report/figure/panels.hpp"

namespace salvo::report::figure {
namespace {

constexpr double pixels_per_mm = 96 / 25.4;
constexpr double narrowest_panel = 150;  // pixels, 4 cm
constexpr double proportion = 0.72;      // of the height of a panel to its width
constexpr double legend_row = 16;

// The names of the colours, side by side, in as many rows as they need; empty where there is one colour.
struct Legend {
  std::string svg{};
  double height = 0;
};
Legend legend_of(const std::vector<std::string>& names, double width) {
  constexpr double character = 5.4;
  Legend legend;
  if (names.empty()) return legend;
  double x = 4;
  double y = legend_row / 2 + 2;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = shorten(names[k], 30);
    const double room = 24 + character * static_cast<double>(display_width(name)) + 14;
    if (x > 4 && x + room > width) {
      x = 4;
      y += legend_row;
    }
    legend.svg += fmt::format(
        R"(<path d="M{:.1f} {:.1f}h16" stroke="{}" stroke-width="2"/><text x="{:.1f}" y="{:.1f}">{}</text>)", x, y,
        colour_of(static_cast<int>(k)), x + 20, y + 0.35 * text_size, xml_text(name));
    legend.svg += '\n';
    x += room;
  }
  legend.height = y + legend_row / 2 + 2;
  return legend;
}

// Experiments of several observables have rows of their own if these fit side by side.
int columns_of(const Panels& panels, double width) {
  const int count = static_cast<int>(panels.all.size());
  const int room = std::max(1, static_cast<int>(width / narrowest_panel));
  if (panels.columns > 0 && panels.columns <= room) return panels.columns;
  return std::clamp(count, 1, count <= 4 ? std::min(room, 2) : room);
}

std::vector<Frame> frames_of(const Panels& panels, bool common) {
  std::vector<Frame> frames;
  for (const Panel& panel : panels.all) frames.push_back(frame_of(panel));
  if (!common || frames.empty()) return frames;
  Frame all = frames.front();
  for (const Frame& frame : frames) all = joined(all, frame);
  return std::vector<Frame>(frames.size(), all);
}

std::string opening(double width, double height) {
  return fmt::format(
      R"svg(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{:.2f}mm" height="{:.2f}mm" viewBox="0 0 {:.1f} {:.1f}" font-family="Inter, Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif" font-size="{}" fill="#1c2430" stroke-linejoin="round" stroke-linecap="round">
<rect width="100%" height="100%" fill="#ffffff"/>
)svg",
      width / pixels_per_mm, height / pixels_per_mm, width, height, text_size);
}

}  // namespace

namespace {

// How panels are laid out; lengths in pixels.
struct Layout {
  Panels panels{};
  Legend legend{};
  double width = 0;
  int columns = 1;
  int rows = 1;
};
Layout layout_of(const Fit& fit, const Options& options) {
  Layout out{.panels = panels_of(fit, options), .width = options.width * pixels_per_mm};
  out.legend = legend_of(out.panels.series, out.width);
  out.columns = columns_of(out.panels, out.width);
  out.rows = std::max(1, (static_cast<int>(out.panels.all.size()) + out.columns - 1) / out.columns);
  return out;
}

}  // namespace

double least_height(const Fit& fit, const Options& options) {
  constexpr double lowest_panel = 75;  // pixels: axes, labels and a little of the curve
  const Layout layout = layout_of(fit, options);
  return (layout.legend.height + layout.rows * lowest_panel) / pixels_per_mm;
}

std::string svg_of(const Fit& fit, const Options& options) {
  const Layout layout = layout_of(fit, options);
  const std::vector<Frame> frames = frames_of(layout.panels, options.common);
  const double panel_width = layout.width / layout.columns;
  const double usual = layout.legend.height + layout.rows * std::min(proportion * panel_width, 320.0);
  const double height = options.height ? *options.height * pixels_per_mm : usual;
  const double panel_height = (height - layout.legend.height) / layout.rows;
  std::string svg = opening(layout.width, height) + layout.legend.svg;
  for (int k = 0; k < static_cast<int>(layout.panels.all.size()); ++k) {
    const Box place{(k % layout.columns) * panel_width, layout.legend.height + (k / layout.columns) * panel_height,
                    panel_width, panel_height};
    svg += draw(layout.panels.all[static_cast<std::size_t>(k)], frames[static_cast<std::size_t>(k)], place,
                {.several = !layout.panels.series.empty(), .clip_id = fmt::format("panel{}", k)});
  }
  return svg + "</svg>\n";
}

}  // namespace salvo::report::figure
