#include "model/input.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/differences.hpp"

namespace salvo::model {
namespace {

const std::vector<double> time{0, 1, 3, 4};
const std::vector<double> value{2, 4, 3, 3};

TEST(InputCurve, HoldsTheLastValue) {
  const InputCurve curve(Interpolation::constant, time, value);
  EXPECT_EQ(curve.at(-5), 2);
  EXPECT_EQ(curve.at(0.999), 2);
  EXPECT_EQ(curve.at(1), 4);
  EXPECT_EQ(curve.at(2.9), 4);
  EXPECT_EQ(curve.at(100), 3);
  EXPECT_EQ(curve.pieces().size(), 3u) << "a row that changes nothing begins no piece";
}

TEST(InputCurve, JoinsRowsByLines) {
  const InputCurve curve(Interpolation::linear, time, value);
  EXPECT_EQ(curve.at(-5), 2);
  EXPECT_EQ(curve.at(0.25), 2.5);
  EXPECT_EQ(curve.at(1), 4);
  EXPECT_EQ(curve.at(2), 3.5);
  EXPECT_EQ(curve.at(3.7), 3);
  EXPECT_EQ(curve.at(100), 3);
  EXPECT_EQ(curve.pieces().size(), 4u);
  const InputCurve line(Interpolation::linear, std::vector<double>{0, 1, 2, 3}, std::vector<double>{1, 2, 3, 4});
  EXPECT_EQ(line.pieces().size(), 3u) << "before, along the line, after";
}

// Through all rows; value, slope and curvature go on.
TEST(InputCurve, JoinsRowsByASpline) {
  const std::vector<double> times{0, 1, 3, 4, 4.5, 6};
  const std::vector<double> values{2, 4, 3, 3, -1, 0};
  const InputCurve curve(Interpolation::cubic, times, values);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(curve.at(times[i]), values[i], 1e-13);
  const auto& pieces = curve.pieces();
  ASSERT_EQ(pieces.size(), 7u);
  for (std::size_t k = 2; k + 1 < pieces.size(); ++k) {
    const double h = pieces[k].begin - pieces[k - 1].begin;
    const auto& [c0, begin, c1, c2, c3] = pieces[k - 1];
    EXPECT_NEAR(c0 + h * (c1 + h * (c2 + h * c3)), pieces[k].c0, 1e-12);
    EXPECT_NEAR(c1 + h * (2 * c2 + 3 * h * c3), pieces[k].c1, 1e-12);
    EXPECT_NEAR(c2 + 3 * h * c3, pieces[k].c2, 1e-12);
  }
  EXPECT_NEAR(pieces[1].c3, pieces[2].c3, 1e-12) << "not a knot";
  EXPECT_NEAR(pieces[4].c3, pieces[5].c3, 1e-12);
  EXPECT_EQ(curve.at(-1), 2);
  EXPECT_EQ(curve.at(9), 0);
}

TEST(InputCurve, OfRowsOnACubicIsTheCubic) {
  const auto cubic = [](double t) { return 1 - 2 * t + 0.5 * t * t - 0.3 * t * t * t; };
  const auto parabola = [](double t) { return 1 - 2 * t + 0.5 * t * t; };
  const std::vector<double> times{-1, 0, 0.3, 2, 2.1};
  for (std::size_t rows = 3; rows <= times.size(); ++rows) {
    const auto wanted = [&](double t) { return rows == 3 ? parabola(t) : cubic(t); };
    std::vector<double> values;
    for (std::size_t i = 0; i < rows; ++i) values.push_back(wanted(times[i]));
    const InputCurve curve(Interpolation::cubic, std::span(times).first(rows), values);
    for (const double t : {-0.7, 0.1, 0.25}) EXPECT_NEAR(curve.at(t), wanted(t), 1e-13) << rows;
  }
}

TEST(InputCurve, OfOneRowIsConstant) {
  for (const Interpolation interpolation : {Interpolation::constant, Interpolation::linear, Interpolation::cubic}) {
    const InputCurve curve(interpolation, std::vector<double>{2}, std::vector<double>{7});
    EXPECT_EQ(curve.pieces().size(), 1u);
    for (const double t : {-1.0, 2.0, 3.0}) EXPECT_EQ(curve.at(t), 7);
  }
}

}  // namespace
}  // namespace salvo::model
