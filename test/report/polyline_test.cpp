#include "report/polyline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "report/helpers.hpp"

namespace salvo::report {
namespace {

TEST(Polyline, JoinsItsPoints) {
  EXPECT_EQ(polyline_path({{0, 0}, {1, 5}, {2, 1}}, 0, 10), "M0.0 0.0L1.0 5.0L2.0 1.0");
}

TEST(Polyline, BreaksWhereAPointCannotBeDrawn) {
  EXPECT_EQ(polyline_path({{0, 1}, {1, 2}, {2, nan}, {3, 4}, {4, 2}}, 0, 10), "M0.0 1.0L1.0 2.0M3.0 4.0L4.0 2.0");
}

TEST(Polyline, IsCutExactlyAtTheEdgeOfTheBand) {
  EXPECT_EQ(polyline_path({{0, 5}, {1, 15}, {2, -5}}, 0, 10), "M0.0 5.0L0.5 10.0M1.2 10.0L1.8 0.0");
  EXPECT_EQ(polyline_path({{0, 20}, {1, 30}}, 0, 10), "");
}

TEST(Polyline, LeavesOutPointsOnAStraightLine) {
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i <= 100; ++i) points.push_back({i, 2.0 * i});
  EXPECT_EQ(polyline_path(points, 0, 1000), "M0.0 0.0L100.0 200.0");
}

TEST(Polyline, StaysOnACurveWithFewPoints) {
  const auto curve = [](double x) { return 100 + 50 * std::sin(x / 20); };
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i <= 2000; ++i) points.push_back({0.1 * i, curve(0.1 * i)});
  std::string path = polyline_path(points, 0, 1000);
  const auto corners = std::ranges::count(path, 'L');
  EXPECT_LT(corners, 100);
  std::ranges::replace_if(
      path, [](char c) { return c == 'M' || c == 'L'; }, ' ');
  std::istringstream numbers(path);
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  numbers >> x0 >> y0;
  while (numbers >> x1 >> y1) {
    EXPECT_NEAR((y0 + y1) / 2, curve((x0 + x1) / 2), 0.4) << "half way to " << x1;  // slope up to 2.5, pixels to 0.1
    x0 = x1;
    y0 = y1;
  }
  EXPECT_EQ(x1, 200);
}

}  // namespace
}  // namespace salvo::report
