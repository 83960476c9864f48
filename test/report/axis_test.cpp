#include "report/axis.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "report/helpers.hpp"

namespace salvo::report {
namespace {

TEST(Axis, HasRoundTicks) {
  const Axis axis = make_axis({-0.3, 10.2}, 5);
  EXPECT_EQ(axis.ticks, (std::vector<double>{0, 5, 10}));
  EXPECT_EQ(axis.labels, (std::vector<std::string>{"0", "5", "10"}));
}

TEST(Axis, GivesEveryLabelTheSameDecimals) {
  EXPECT_EQ(make_axis({0, 1.1}, 6).labels, (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(make_axis({-0.25, 0.25}, 3).labels, (std::vector<std::string>{"\u22120.2", "0.0", "0.2"}));
}

TEST(Axis, WritesPowersOfTenWhereDecimalsWouldBeLong) {
  EXPECT_EQ(make_axis({0, 2.2e-6}, 3).labels, (std::vector<std::string>{"0", "1e-6", "2e-6"}));
  EXPECT_EQ(make_axis({0, 3.1e9}, 4).labels, (std::vector<std::string>{"0", "1e9", "2e9", "3e9"}));
}

TEST(Axis, ManagesAnyRange) {
  for (const Range range : {Range{0, 0}, Range{1e15, 1e15}, Range{-1e149, 1e149}, Range{0, 5e-324}, Range{3, 3}}) {
    const Axis axis = make_axis(with_margin(range, 0.05), 5);
    EXPECT_GE(axis.ticks.size(), 1);
    EXPECT_LE(axis.ticks.size(), 12);
    EXPECT_LT(axis.range.low, axis.range.high);
  }
}

TEST(PanelRange, ShowsAllOfTheCurvesThatStayNearTheData) {
  const Range range = panel_range(std::vector{1.0, 2.0}, {}, std::vector{0.5, 1.0, 2.7});
  EXPECT_EQ(range.low, 0.5);
  EXPECT_EQ(range.high, 2.7);
}

TEST(PanelRange, IsNotFlattenedByOneRunaway) {
  std::vector<double> curves(100, 1.5);
  curves.push_back(1e12);
  curves.push_back(inf);
  curves.push_back(nan);
  const Range range = panel_range(std::vector{1.0, 2.0}, {}, curves);
  EXPECT_LE(range.high, 4);
  EXPECT_GE(range.high, 2);
  EXPECT_EQ(range.low, 1);
}

TEST(PanelRange, HoldsUsualErrorBarsButNotACarelessOne) {
  const Range usual = panel_range(std::vector{1.0, 2.0}, std::vector{0.5, 1.5, 1.5, 2.5}, {});
  EXPECT_EQ(usual.low, 0.5);
  EXPECT_EQ(usual.high, 2.5);
  std::vector<double> ends(40, 1.5);
  ends.push_back(1e6);
  EXPECT_LE(panel_range(std::vector{1.0, 2.0}, ends, {}).high, 4);
}

TEST(PanelRange, FollowsTheBulkOfTheCurvesWithoutData) {
  std::vector<double> curves;
  for (int i = 0; i < 100; ++i) curves.push_back(i % 10);
  curves.push_back(1e9);
  const Range range = panel_range({}, {}, curves);
  EXPECT_EQ(range.low, 0);
  EXPECT_LT(range.high, 20);
}

}  // namespace
}  // namespace salvo::report
