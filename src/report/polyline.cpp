#include "report/polyline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.hpp"

namespace salvo::report {
namespace {

using Point = std::pair<double, double>;
using Run = std::vector<Point>;

constexpr double invisible = 0.08;  // pixels

// Where on the way from a to b the height is y.
Point at_height(const Point& a, const Point& b, double y) {
  return {a.first + (b.first - a.first) * ((y - a.second) / (b.second - a.second)), y};
}

bool is_drawable_point(const Point& point) { return is_drawable(point.first) && is_drawable(point.second); }

// The unbroken pieces of the line inside the band.
std::vector<Run> runs_inside(const std::vector<Point>& points, double top, double bottom) {
  std::vector<Run> runs;
  bool joined = false;  // does the last run end where the next segment begins?
  const auto inside = [&](const Point& point) { return point.second >= top && point.second <= bottom; };
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point& a = points[i - 1];
    const Point& b = points[i];
    const bool visible = is_drawable_point(a) && is_drawable_point(b) && std::max(a.second, b.second) >= top &&
                         std::min(a.second, b.second) <= bottom;
    if (visible) {
      if (!joined) runs.push_back({inside(a) ? a : at_height(a, b, a.second < top ? top : bottom)});
      runs.back().push_back(inside(b) ? b : at_height(a, b, b.second < top ? top : bottom));
    }
    joined = visible && inside(b);
  }
  return runs;
}

double distance_to_chord(const Point& point, const Point& from, const Point& to) {
  const double dx = to.first - from.first;
  const double dy = to.second - from.second;
  const double length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(point.first - from.first, point.second - from.second);
  return std::abs(dx * (point.second - from.second) - dy * (point.first - from.first)) / length;
}

// Leaves out points that nobody would miss (Ramer, Douglas and Peucker): pictures of many intervals stay small.
Run simplified(const Run& run) {
  std::vector<bool> kept(run.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> chords{{0, run.size() - 1}};
  while (!chords.empty()) {
    const auto [from, to] = chords.back();
    chords.pop_back();
    std::size_t farthest = from;
    double distance = invisible;
    for (std::size_t i = from + 1; i < to; ++i) {
      const double here = distance_to_chord(run[i], run[from], run[to]);
      if (here <= distance) continue;
      distance = here;
      farthest = i;
    }
    if (farthest == from) continue;
    kept[farthest] = true;
    chords.push_back({from, farthest});
    chords.push_back({farthest, to});
  }
  Run few;
  for (std::size_t i = 0; i < run.size(); ++i)
    if (kept[i]) few.push_back(run[i]);
  return few;
}

}  // namespace

std::string polyline_path(const std::vector<Point>& points, double top, double bottom) {
  std::string path;
  for (const Run& run : runs_inside(points, top, bottom)) {
    char command = 'M';
    for (const auto& [x, y] : simplified(run)) {
      path += fmt::format("{}{:.1f} {:.1f}", command, x, y);
      command = 'L';
    }
  }
  return path;
}

}  // namespace salvo::report
