#include "start/curve_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/samples.hpp"
#include "start/affine.hpp"

namespace salvo::start {
namespace {

model::Problem one_state(const std::string& formula) {
  test::Builder builder(test::Equations{{"x", formula}});
  builder.parameter("k", test::estimated(1)).parameter("c", test::estimated(1)).parameter("fixed", 3.0);
  builder.observable("see", "x", "0.1").experiment("default", {test::estimated(1)});
  return builder.build();
}

bool is_affine_rhs(const std::string& formula) { return has_affine_rhs(*compile::compile(one_state(formula))); }

TEST(Affine, AreSumsAndProductsWithOneFactorThatKnowsParameters) {
  for (const char* formula : {"k*x", "-k*x + c*x^2", "(k - c*x)*x/(1 + x)", "k/fixed - exp(x)", "sin(t)*(k + c)", "x",
                              "piecewise(k*x, t > 1, c)"})
    EXPECT_TRUE(is_affine_rhs(formula)) << formula;
}

TEST(Affine, AreNotPowersQuotientsAndSwitches) {
  for (const char* formula :
       {"k*c*x", "k^2*x", "x/(k + x)", "exp(k)*x", "k*x + sqrt(c)", "max(k, x)", "piecewise(x, k > 1, 0)", "abs(k)*x"})
    EXPECT_FALSE(is_affine_rhs(formula)) << formula;
}

// Data on the line x = 1 + 2 t, whose spline is the line; four pieces from 0 to 4 of which one has a stop inside.
struct AlongALine {
  explicit AlongALine(const std::string& formula)
      : problem(one_state(formula)), model(compile::compile(problem)), integrals(*model, observed(), pieces()) {}
  static ObservedStates observed() {
    std::vector<SeriesPoint> series;
    for (int t = 0; t <= 4; ++t) series.push_back({.time = 1.0 * t, .value = 1.0 + 2 * t, .sigma = 0.1});
    ObservedStates out;
    out.states = {{.series = series, .curve = smoothing_spline(series, NoiseLevel::known, 0.03)}};
    return out;
  }
  static MatchingPieces pieces() { return {.stops = {0, 1, 1.5, 2, 3, 4}, .ends = {1, 3, 4, 5}}; }
  static double square_until(double t) { return std::pow(1 + 2 * t, 3) / 6; }  // ∫ x^2 dt
  static double square_over(int piece) { return square_until(piece + 1) - square_until(piece); }

  model::Problem problem;
  std::shared_ptr<const compile::CompiledModel> model;
  CurveIntegrals integrals;
};

TEST(CurveIntegrals, AddUpWhereParametersAreFactors) {
  AlongALine along("k*x^2 - c");
  ASSERT_TRUE(along.integrals.is_affine());
  for (const double k : {2.0, -0.7, 40.0}) {  // evaluated once, then moved
    ASSERT_TRUE(along.integrals.evaluate(std::vector<double>{k, 5}, true));
    for (int m = 0; m < 4; ++m) {
      const double scale = AlongALine::square_over(m);
      EXPECT_NEAR(along.integrals.of_piece(m)[0], k * scale - 5, 1e-13 * (1 + std::abs(k)) * scale) << m;
      EXPECT_NEAR(along.integrals.by_parameter(m)[0], scale, 1e-13 * scale) << m;
      EXPECT_NEAR(along.integrals.by_parameter(m)[1], -1, 1e-13) << m;
    }
  }
}

TEST(CurveIntegrals, AddUpWhereParametersAreNot) {
  AlongALine along("k^2*x^2");
  ASSERT_FALSE(along.integrals.is_affine());
  for (const double k : {2.0, -0.7}) {
    ASSERT_TRUE(along.integrals.evaluate(std::vector<double>{k, 5}, true));
    for (int m = 0; m < 4; ++m) {
      const double scale = AlongALine::square_over(m);
      EXPECT_NEAR(along.integrals.of_piece(m)[0], k * k * scale, 1e-13 * scale) << m;
      EXPECT_NEAR(along.integrals.by_parameter(m)[0], 2 * k * scale, 1e-12 * scale) << m;
    }
  }
}

TEST(CurveIntegrals, DoNotExistWhereTheEquationsDoNot) {
  EXPECT_FALSE(AlongALine("k*log(x - 2)").integrals.evaluate(std::vector<double>{1, 1}, true));
  EXPECT_FALSE(AlongALine("k^2*log(x - 2)").integrals.evaluate(std::vector<double>{1, 1}, true));
}

}  // namespace
}  // namespace salvo::start
