#include "start/levenberg_marquardt.hpp"

#include <gtest/gtest.h>

namespace salvo::start {
namespace {

TEST(NormalEquations, AreThoseOfTheRowsInWhateverOrderTheirEntriesCame) {
  NormalEquations at;
  at.clear(3, true);
  SparseRow row(3);
  row.add(2, 5);
  row.add(0, 3);
  row.add(2, -1);  // 4 in all
  at.add(2, row);
  row.clear();
  row.add(1, 7);
  at.add(-1, row);
  at.change_unknown(2, 10);
  EXPECT_EQ(at.half_squares, 2.5);
  EXPECT_EQ(at.gradient, (std::vector<double>{6, -7, 80}));
  EXPECT_EQ(at.normal(0, 0), 9);
  EXPECT_EQ(at.normal(1, 0), 0);
  EXPECT_EQ(at.normal(1, 1), 49);
  EXPECT_EQ(at.normal(2, 0), 120);
  EXPECT_EQ(at.normal(2, 2), 1600);
}

TEST(NormalEquations, OfLinearRowsAreKnownEverywhere) {
  const auto at = [](double y, double z) {  // rows 1 + 2 y - z and 3 z - 4
    NormalEquations out;
    out.clear(2, true);
    SparseRow first(2), second(2);
    first.add(0, 2);
    first.add(1, -1);
    second.add(1, 3);
    out.add(1 + 2 * y - z, first);
    out.add(3 * z - 4, second);
    return out;
  };
  const std::vector<double> here{1, 5}, there{-2, 7};
  NormalEquations moved;
  moved.move(at(1, 5), here, there);
  EXPECT_EQ(moved.half_squares, at(-2, 7).half_squares);
  EXPECT_EQ(moved.gradient, at(-2, 7).gradient);
  EXPECT_EQ(moved.normal.data, at(-2, 7).normal.data);
  EXPECT_EQ(moved.rows, 2);
}

TEST(LevenbergMarquardt, SolvesRosenbrocksProblemWithinBounds) {
  const RowsAt rows = [](const std::vector<double>& z, bool derivatives, NormalEquations& out) {
    out.clear(3, derivatives);
    SparseRow first(3), second(3);
    first.add(1, 10);
    first.add(0, -20 * z[0]);
    second.add(0, -1);
    out.add(10 * (z[1] - z[0] * z[0]), first);
    out.add(1 - z[0], second);
    return true;
  };
  const std::vector<double> lower{-2, -2, -2}, upper{2, 2, 2}, low_upper{0.5, 2, 2};
  const ReducedFit free = levenberg_marquardt(rows, {-1.2, 1, 0.3}, lower, upper, {.iterations = 100});
  EXPECT_NEAR(free.z[0], 1, 1e-4);
  EXPECT_NEAR(free.z[1], 1, 1e-4);
  EXPECT_EQ(free.z[2], 0.3);  // no row sees it
  const ReducedFit bounded = levenberg_marquardt(rows, {-1.2, 1, 0.3}, lower, low_upper, {.iterations = 100});
  EXPECT_NEAR(bounded.z[0], 0.5, 1e-12);
  EXPECT_NEAR(bounded.z[1], 0.25, 1e-3);
}

}  // namespace
}  // namespace salvo::start
