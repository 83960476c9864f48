#include "report/polyline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/axis.hpp"

namespace salvo::report {
namespace {

using Point = std::pair<double, double>;

struct Segment {
  Point from{};
  Point to{};
  bool visible = false;
};

// Where on the way from a to b the height is y.
Point at_height(const Point& a, const Point& b, double y) {
  return {a.first + (b.first - a.first) * ((y - a.second) / (b.second - a.second)), y};
}

Segment cut(Point a, Point b, double top, double bottom) {
  if (!is_drawable(a.first) || !is_drawable(a.second) || !is_drawable(b.first) || !is_drawable(b.second)) return {};
  if (std::max(a.second, b.second) < top || std::min(a.second, b.second) > bottom) return {};
  const Point from = a;
  const Point to = b;
  if (a.second < top || a.second > bottom) a = at_height(from, to, a.second < top ? top : bottom);
  if (b.second < top || b.second > bottom) b = at_height(from, to, b.second < top ? top : bottom);
  return {a, b, true};
}

}  // namespace

std::string polyline_path(const std::vector<Point>& points, double top, double bottom) {
  std::string path;
  bool joined = false;  // does the pen stand where the next segment begins?
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Segment segment = cut(points[i - 1], points[i], top, bottom);
    if (segment.visible) {
      if (!joined) path += fmt::format("M{:.1f} {:.1f}", segment.from.first, segment.from.second);
      path += fmt::format("L{:.1f} {:.1f}", segment.to.first, segment.to.second);
    }
    joined = segment.visible && segment.to == points[i];
  }
  return path;
}

}  // namespace salvo::report
