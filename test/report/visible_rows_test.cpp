#include "report/visible_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace salvo::report {
namespace {

TEST(VisibleRows, AreAllOfFewData) {
  const VisibleRows seen = visible_rows(std::vector<model::Measurement>(3));
  EXPECT_EQ(seen.rows, (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(seen.weights.empty());
}

// A long wave lies on itself; one measurement far from it is seen.
TEST(VisibleRows, LeaveOutWhatLiesOnOthersAndNothingElse) {
  std::vector<model::Measurement> all;
  for (int i = 0; i < 200'000; ++i) all.push_back({.time = 1e-4 * i, .value = std::sin(1e-4 * i)});
  all[123'456].value = 5;
  const VisibleRows seen = visible_rows(all);
  EXPECT_LT(seen.rows.size(), 20'000U);
  EXPECT_NE(std::find(seen.rows.begin(), seen.rows.end(), 123'456), seen.rows.end());
  EXPECT_EQ(std::accumulate(seen.weights.begin(), seen.weights.end(), 0), 200'000);
  // Wherever there is a measurement, one near it is shown.
  for (int i = 0; i < 200'000; i += 997) {
    const auto near = [&](int row) {
      return std::abs(all[static_cast<std::size_t>(row)].time - 1e-4 * i) < 0.1 &&
             std::abs(all[static_cast<std::size_t>(row)].value - std::sin(1e-4 * i)) < 0.05;
    };
    EXPECT_TRUE(std::any_of(seen.rows.begin(), seen.rows.end(), near)) << i;
  }
}

TEST(VisibleRows, KeepDataOfWhichNoneLieOnOthers) {
  std::vector<model::Measurement> all;
  for (int i = 0; i < 20'000; ++i)
    all.push_back({.experiment = i / 100, .time = 1.0 * (i % 100), .value = 1.0 * (i % 7)});
  const VisibleRows seen = visible_rows(all);
  EXPECT_EQ(seen.rows.size(), all.size());
  EXPECT_TRUE(seen.weights.empty());
}

}  // namespace
}  // namespace salvo::report
