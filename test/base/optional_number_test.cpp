#include "base/optional_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace salvo {
namespace {

TEST(OptionalNumber, IsANumberOrNone) {
  OptionalNumber number;
  EXPECT_FALSE(number);
  EXPECT_EQ(number.value_or(3), 3);
  number = 0.5;
  EXPECT_TRUE(number.has_value());
  EXPECT_EQ(*number, 0.5);
  EXPECT_EQ(number.value_or(3), 0.5);
  number.reset();
  EXPECT_EQ(number, std::nullopt);
}

TEST(OptionalNumber, IsAsGoodAsAnOptional) {
  for (const std::optional<double> each : {std::optional<double>{}, std::optional(0.0), std::optional(-1.5)}) {
    const OptionalNumber number = each;
    EXPECT_EQ(std::optional<double>(number), each);
  }
}

// What went wrong elsewhere does not pass for a number that was left out.
TEST(OptionalNumber, HoldsWhatIsNoNumber) {
  EXPECT_TRUE(OptionalNumber(std::nan("")));
  EXPECT_TRUE(OptionalNumber(-std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(OptionalNumber(std::numeric_limits<double>::infinity()));
}

TEST(OptionalNumber, TakesHalfTheMemoryOfAnOptional) { EXPECT_EQ(sizeof(OptionalNumber), sizeof(double)); }

}  // namespace
}  // namespace salvo
