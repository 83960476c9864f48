#include "statistics/path_slope.hpp"

#include <gtest/gtest.h>

#include "regression.hpp"

namespace salvo::statistics {
namespace {

// Half the squares of the line at other coefficients; b is theta 1.
nlp::Blocks line_at(const test::Line& line, double a, double b) {
  std::vector<test::Datum> data = line.data(-1);
  for (std::size_t i = 0; i < data.size(); ++i) data[i].residual += (a - line.a) + (b - line.b) * line.t[i];
  return test::Regression(data, {}).blocks;
}

// PL(b) = squares / 2 + (b - b^)^2 Σ (t - mean)^2 / 2 for a line with a sigma of 1.
TEST(PathSlope, OfALineIsThatOfItsParabola) {
  const test::Line line = test::five_points();
  const nlp::Layout layout = test::Regression(line.data(-1), {}).layout;
  const double b = line.b + 0.3;
  const double expected = 0.3 * line.squares_t;
  const double best_a = line.a - 0.3 * line.mean_t;
  for (const double missed : {0.0, 0.05, -1.0})  // `a` need not be at its best
    EXPECT_NEAR(path_slope(layout, line_at(line, best_a + missed, b), {best_a + missed, b}, {1, 1}, 1), expected, 1e-12)
        << missed;
}

TEST(PathSlope, IsToldPerUnitOfTheUnknown) {
  const test::Line line = test::five_points();
  const nlp::Layout layout = test::Regression(line.data(-1), {}).layout;
  const double b = line.b - 0.2;
  EXPECT_NEAR(path_slope(layout, line_at(line, line.a, b), {line.a, b}, {10, 0.01}, 1), -0.2 * line.squares_t, 1e-11);
}

// At its bound `a` does not follow: the slope is the gradient of the squares by b alone.
TEST(PathSlope, LeavesWhatIsAtABoundWhereItIs) {
  const test::Line line = test::five_points();
  nlp::Layout layout = test::Regression(line.data(-1), {}).layout;
  layout.lower[0] = line.a;
  double squares = 0;
  for (const double t : line.t) squares += t * t;
  EXPECT_NEAR(path_slope(layout, line_at(line, line.a, line.b + 0.3), {line.a, line.b + 0.3}, {1, 1}, 1), 0.3 * squares,
              1e-12);
}

TEST(PathSlope, OfTheOnlyUnknownIsTheGradient) {
  const test::Regression mean({{{1}, 0.5}, {{1}, 0.25}}, {});
  EXPECT_NEAR(path_slope(mean.layout, mean.blocks, {0}, {1}, 0), 0.75, 1e-15);
}

}  // namespace
}  // namespace salvo::statistics
