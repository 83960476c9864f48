#include "base/rough_power.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo {
namespace {

TEST(RoughPower, KnowsLogarithmsToThreeDigits) {
  for (double x = 1e-12; x < 1e12; x *= 1.0137) EXPECT_NEAR(rough_log2(x), std::log2(x), 2e-4) << x;
}

TEST(RoughPower, RaisesTwoToThreeDigits) {
  for (double y = -60; y < 60; y += 0.0371) EXPECT_NEAR(rough_exp2(y) / std::exp2(y), 1, 2e-4) << y;
  for (const double whole : {-3.0, -1.0, 0.0, 1.0, 5.0}) EXPECT_NEAR(rough_exp2(whole) / std::exp2(whole), 1, 2e-4);
}

}  // namespace
}  // namespace salvo
