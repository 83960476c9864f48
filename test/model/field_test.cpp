#include "model/field.hpp"

#include <gtest/gtest.h>

#include "model/axis.hpp"

namespace salvo::model {
namespace {

// Linear from (0, 1) to (2, 5), then down to (3, 2): the integral from 0 to 3 is 6 + 3.5.
const PositionTable table({0, 2, 3}, {1, 5, 2});

TEST(PositionTable, IsLinearBetweenItsRowsAndConstantBeyond) {
  EXPECT_DOUBLE_EQ(table.at(0.5), 2);
  EXPECT_DOUBLE_EQ(table.at(2.5), 3.5);
  EXPECT_DOUBLE_EQ(table.at(-4), 1);
  EXPECT_DOUBLE_EQ(table.at(9), 2);
}

TEST(PositionTable, HasTheMeanOfAnyStretch) {
  EXPECT_DOUBLE_EQ(table.mean(0, 3), 9.5 / 3);
  EXPECT_DOUBLE_EQ(table.mean(0.5, 1.5), 3);
  EXPECT_DOUBLE_EQ(table.mean(-1, 0), 1);
  EXPECT_DOUBLE_EQ(table.mean(2, 4), (3.5 + 2) / 2);
}

TEST(Space, IsDividedIntoCellsOfEqualLength) {
  const Space space{.from = 1, .to = 3, .cells = 4};
  EXPECT_DOUBLE_EQ(space.width(), 0.5);
  EXPECT_DOUBLE_EQ(space.centre(0), 1.25);
  EXPECT_DOUBLE_EQ(space.centre(3), 2.75);
}

TEST(Axis, SaysWhatIsMeasuredInWhatUnit) {
  EXPECT_EQ(axis_text("conc", {}), "conc");
  EXPECT_EQ(axis_text("conc", {.unit = "mg/L", .label = "Plasma concentration"}), "Plasma concentration (mg/L)");
}

}  // namespace
}  // namespace salvo::model
