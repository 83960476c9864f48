#include "base/nested_strata.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace salvo {
namespace {

TEST(NestedStrata, HoldOneShareEachOfAnyPowerOfTwo) {
  for (const std::uint64_t seed : {1U, 7U, 12345U})
    for (const unsigned count : {2U, 8U, 64U, 1024U})
      for (const unsigned first : {0U, count, 5 * count}) {
        std::set<int> strata;
        for (unsigned n = first; n < first + count; ++n)
          strata.insert(static_cast<int>(std::floor(nested_share(seed, n) * count)));
        EXPECT_EQ(strata.size(), count) << seed << " " << first;
        EXPECT_GE(*strata.begin(), 0);
        EXPECT_LT(*strata.rbegin(), static_cast<int>(count));
      }
}

// Two of them fill a square as independent ones would: of 1024 points, each of 16 squares holds 64 on average with a
// standard deviation below 8; the correlation is of the order of 1/32.
TEST(NestedStrata, OfOtherSeedsAreIndependent) {
  constexpr int count = 1024;
  int in_square[4][4] = {};
  double together = 0;
  for (unsigned n = 0; n < count; ++n) {
    const double x = nested_share(3, n), y = nested_share(4, n);
    ++in_square[static_cast<int>(4 * x)][static_cast<int>(4 * y)];
    together += 12 * (x - 0.5) * (y - 0.5) / count;
  }
  for (const auto& row : in_square)
    for (const int points : row) EXPECT_NEAR(points, 64, 32);
  EXPECT_NEAR(together, 0, 0.1);
}

// The first few already lie in more than two corners of a cube of many dimensions.
TEST(NestedStrata, DoNotLieOnADiagonal) {
  std::set<unsigned> corners;
  for (unsigned n = 0; n < 16; ++n) {
    unsigned corner = 0;
    for (unsigned k = 0; k < 10; ++k) corner = 2 * corner + (nested_share(100 + k, n) < 0.5 ? 0U : 1U);
    corners.insert(corner);
  }
  EXPECT_GE(corners.size(), 15U);
}

}  // namespace
}  // namespace salvo
