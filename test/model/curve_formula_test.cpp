#include "model/curve_formula.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace salvo::model {
namespace {

TEST(CurveFormula, HasTheValuesOfTheCurve) {
  const std::vector<double> time{-4, -2.5, -1, -0.25, 0}, value{3, 1, 4, 1, 5};
  for (const Interpolation kind : {Interpolation::constant, Interpolation::linear, Interpolation::cubic}) {
    const InputCurve curve(kind, time, value);
    for (double t = -5; t <= 1; t += 0.125) {
      expression::Graph graph;
      const auto symbol = graph.symbol("t");
      const auto formula = formula_of(graph, curve, symbol);
      const auto now = graph.constant(t);
      const auto at = expression::substitute(graph, {&formula, 1}, {&symbol, 1}, {&now, 1})[0];
      ASSERT_TRUE(graph.is_constant(at));
      EXPECT_DOUBLE_EQ(graph[at].value, curve.at(t)) << t;
    }
  }
}

}  // namespace
}  // namespace salvo::model
