#include <gtest/gtest.h>

#include <cmath>

#include "helpers/differences.hpp"
#include "model/problem.hpp"

namespace salvo::model {
namespace {

TEST(Scale, MapsThereAndBack) {
  for (const Scale scale : {Scale::lin, Scale::log, Scale::log10})
    for (const double value : {0.003, 0.5, 1.0, 720.0})
      EXPECT_NEAR(from_scale(scale, to_scale(scale, value)), value, 1e-14 * value) << to_string(scale);
  EXPECT_EQ(to_scale(Scale::log10, 1000), 3);
  EXPECT_EQ(to_scale(Scale::log, std::exp(2.0)), 2);
  EXPECT_EQ(to_scale(Scale::lin, -4), -4);
}

TEST(Scale, SlopeIsTheDerivativeOfTheWayBack) {
  for (const Scale scale : {Scale::lin, Scale::log, Scale::log10}) {
    const auto back = [scale](double scaled) { return std::vector<double>{from_scale(scale, scaled)}; };
    EXPECT_NEAR(from_scale_slope(scale, 0.4), test::difference(back, 0.4)[0], 1e-10) << to_string(scale);
  }
}

}  // namespace
}  // namespace salvo::model
