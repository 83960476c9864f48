#include <gtest/gtest.h>

#include <cmath>

#include "expression/formula_tools.hpp"
#include "expression/print.hpp"

namespace salvo::expression {
namespace {

TEST(Simplification, MakesFormulasShorter) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"x + 0", "x"},
      {"0 + x", "x"},
      {"x - 0", "x"},
      {"0 - x", "-x"},
      {"x*1", "x"},
      {"x*-1", "-x"},
      {"x/1", "x"},
      {"x^1", "x"},
      {"x^0", "1"},
      {"(1/y)^0", "1"},
      {"--x", "x"},
      {"x + -y", "x - y"},
      {"-x + y", "y - x"},
      {"x - -y", "x + y"},
      {"x + -2", "x - 2"},
      {"x - -2", "x + 2"},
      {"0*x", "0"},
      {"2*3 + x", "6 + x"},
      {"sqrt(16)*x", "4*x"},
      {"piecewise(x, 1 < 2, y)", "x"},
      {"piecewise(x, 1 > 2, y)", "y"},
      {"piecewise(x, y > 2, x)", "x"},
  };
  for (const auto& [longer, shorter] : cases) {
    Graph graph;
    const NodeId expected = parsed(graph, shorter);
    EXPECT_EQ(parsed(graph, longer), expected) << longer << " became " << print(graph, parsed(graph, longer));
  }
}

TEST(Simplification, CancelsNoPoleAndNoNan) {
  EXPECT_TRUE(std::isnan(evaluate("x/x", {{"x", 0}})));
  EXPECT_TRUE(std::isnan(evaluate("0*(1/y)", {{"y", 0}})));
  EXPECT_TRUE(std::isnan(evaluate("1/y - 1/y", {{"y", 0}})));
  EXPECT_TRUE(std::isnan(evaluate("exp(log(x))", {{"x", -1}})));
  EXPECT_TRUE(std::isnan(evaluate("0/x", {{"x", 0}})));
  EXPECT_EQ(evaluate("log(exp(x))", {{"x", 1000}}), INFINITY);
}

TEST(Simplification, NeverChangesAValue) {
  const auto operations = all_operations();
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const std::vector<double> points{0, 1, -1, 2, -2.5, 0.3, 1e-5, 40};
  Random random(2024);
  int compared = 0;
  for (int trial = 0; trial < 5'000; ++trial) {
    const Tree tree = random_tree(random, 1 + below(random, 6), operations, names);
    Graph graph;
    const NodeId node = planted(graph, tree);
    for (int point = 0; point < 4; ++point) {
      Values values;
      for (const std::string& name : names) values[name] = points[below(random, static_cast<int>(points.size()))];
      const TreeValue expected = evaluate(tree, values);
      if (expected.depends_on_sign_of_zero) continue;
      ++compared;
      const double value = evaluate(graph, node, values);
      EXPECT_TRUE(is_same_number(value, expected.value))
          << print(graph, node) << " is " << value << " instead of " << expected.value;
    }
  }
  EXPECT_GT(compared, 10'000);
}

}  // namespace
}  // namespace salvo::expression
