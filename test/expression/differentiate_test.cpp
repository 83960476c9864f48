#include "expression/differentiate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expression/formula_tools.hpp"
#include "expression/print.hpp"

namespace salvo::expression {
namespace {

const std::vector<std::string> names{"x", "y", "z"};
const Values generic{{"x", 0.37}, {"y", 0.61}, {"z", 1.43}};

std::vector<NodeId> symbols(Graph& graph, const std::vector<std::string>& of) {
  std::vector<NodeId> result;
  for (const std::string& name : of) result.push_back(graph.symbol(name));
  return result;
}

// The derivative in each variable by the Jacobian; 0 where it has no entry.
std::vector<double> gradient(Graph& graph, NodeId node, const Values& values) {
  const auto variables = symbols(graph, names);
  std::vector<double> result(names.size(), 0.0);
  for (const auto& entry : jacobian(graph, std::array{node}, variables)) {
    result[entry.column] = evaluate(graph, entry.node, values);
  }
  return result;
}

double derivative(std::string_view text, const Values& values, int column = 0) {
  Graph graph;
  return gradient(graph, parsed(graph, text), values)[column];
}

class EveryOperation : public testing::TestWithParam<std::string> {};

// At a generic point each slope is compared with the complex step, which shares no formula with the chain rule.
TEST_P(EveryOperation, HasTheSlopeOfItsValue) {
  Graph graph;
  const NodeId node = parsed(graph, GetParam());
  const auto variables = symbols(graph, names);
  const std::array one{graph.constant(1)};
  const auto by_reverse = evaluate(graph, reverse(graph, std::array{node}, one, variables), generic);
  const auto by_jacobian = gradient(graph, node, generic);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto tangent = forward(graph, std::array{node}, std::array{variables[k]}, one);
    const double expected = complex_step(graph, node, generic, names[k]);
    const double tolerance = 1e-12 * (1 + std::abs(expected));
    EXPECT_NEAR(evaluate(graph, tangent[0], generic), expected, tolerance) << "forward, " << names[k];
    EXPECT_NEAR(by_reverse[k], expected, tolerance) << "reverse, " << names[k];
    EXPECT_NEAR(by_jacobian[k], expected, tolerance) << "Jacobian, " << names[k];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Derivatives, EveryOperation,
    testing::Values("x + y*z", "x - y/z", "x*x*y", "x/(y + x)", "x^y", "x^3 + x^0.5 + x^-2", "2^x", "(x*y)^(y + z)",
                    "min(x*y, z)", "min(z, x*y)", "max(x*y, z)", "max(z, x*y)", "max(x, y, z)", "x*(x < y) + (y <= x)",
                    "(x == y) + (x != y)*z", "y*(x && y) + z*(x || y)", "-x*y", "!x + z", "exp(x*y)", "log(x + y)",
                    "log2(x*y)", "log10(x*z)", "log(x, z)", "sqrt(x*y)", "abs(x - y)*z", "sign(x - y)*z", "sin(x*y)",
                    "cos(x*y)", "tan(x*y)", "cot(x)", "sec(x)", "csc(x)", "arcsin(x*y)", "arccos(x*y)", "arctan(x*y)",
                    "arccot(x)", "arcsec(z)", "arccsc(z)", "sinh(x*y)", "cosh(x*y)", "tanh(x*y)", "coth(x)", "sech(x)",
                    "csch(x)", "arcsinh(x*y)", "arccosh(z*z)", "arctanh(x*y)", "arccoth(z)", "arcsech(x)", "arccsch(x)",
                    "piecewise(x*y, x < y, z)", "piecewise(x*y, x > y, z*x, y > z, sin(x))",
                    "exp(piecewise(x*y, x < y, z))*x", "x^z/(y^z + x^z)", "5", "z"));

// A negative base is outside the reach of the complex logarithm; central differences serve instead.
TEST(Derivatives, OfWholePowersHoldForNegativeBases) {
  const double h = 1e-5;
  const auto cube = [](double x) { return evaluate("x^3 - x^-2", {{"x", x}}); };
  const double x = -0.7;
  EXPECT_NEAR(derivative("x^3 - x^-2", {{"x", x}}), (cube(x + h) - cube(x - h)) / (2 * h), 1e-7);
}

TEST(Derivatives, OfPowersAreRightAtZero) {
  const Values zero{{"x", 0}, {"y", 2}};
  EXPECT_EQ(derivative("x^y", zero, 1), 0);
  EXPECT_EQ(derivative("x^y", zero, 0), 0);
  EXPECT_EQ(derivative("x^1", zero), 1);
  EXPECT_EQ(derivative("x^2", zero), 0);
  EXPECT_EQ(derivative("x^3", zero), 0);
  EXPECT_EQ(derivative("x^y/(1 + x^y)", zero, 1), 0);
  EXPECT_EQ(derivative("x^y", {{"x", 0}, {"y", 1}}), 1);
}

// Second derivatives of a power at a state that starts from zero: n (n - 1) x^(n - 2), and 0 where that is a pole.
TEST(Derivatives, OfDerivativesOfPowersAreFiniteAtZero) {
  const auto second = [](std::string_view text, const Values& values, int first, int then) {
    Graph graph;
    const auto variables = symbols(graph, names);
    const NodeId node = parsed(graph, text);
    const NodeId one = graph.constant(1);
    const auto slope = forward(graph, std::array{node}, std::array{variables[first]}, std::array{one});
    const auto bend = forward(graph, slope, std::array{variables[then]}, std::array{one});
    return evaluate(graph, bend[0], values);
  };
  const auto at = [](double y) { return Values{{"x", 0}, {"y", y}, {"z", 0.5}}; };
  EXPECT_EQ(second("x^y", at(1), 0, 0), 0);
  EXPECT_EQ(second("x^y", at(2), 0, 0), 2);
  EXPECT_EQ(second("x^y", at(3), 0, 0), 0);
  EXPECT_EQ(second("x^y", at(1.5), 0, 0), 0);
  EXPECT_EQ(second("x^1.5", at(1), 0, 0), 0);
  EXPECT_EQ(second("x^y", at(2.5), 0, 1), 0);
  EXPECT_EQ(second("x^y", at(2.5), 1, 1), 0);
  EXPECT_EQ(second("x^y/(z^y + x^y)", at(2), 0, 0), 8);
  EXPECT_EQ(second("x^y/(z^y + x^y)", at(2), 1, 0), 0);
}

TEST(Derivatives, OfTheBranchNotTakenDoNoHarm) {
  const Values zero{{"x", 0}, {"y", 3}};
  EXPECT_EQ(derivative("piecewise(log(x), x > 0, x*y)", zero), 3);
  EXPECT_EQ(derivative("y*piecewise(sin(x)/x, x != 0, 1)", zero), 0);
  EXPECT_EQ(derivative("max(1/x, y)", {{"x", -0.0}, {"y", 3}}), 0);
  EXPECT_EQ(derivative("exp(piecewise(sqrt(x), x > 0, 2*x))", zero), 2);
}

TEST(Derivatives, AreAbsentWhereTheValueOnlyJumps) {
  Graph graph;
  const auto variables = symbols(graph, names);
  for (const char* text : {"sign(x)", "x < y", "x <= y", "x == y", "x != y", "x && y", "x || y", "!x",
                           "piecewise(1, x > y, 2)", "3", "0*x"}) {
    EXPECT_TRUE(jacobian(graph, std::array{parsed(graph, text)}, variables).empty()) << text;
  }
}

TEST(Derivatives, AreCompact) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"exp(x)", "exp(x)"},
      {"sqrt(x)", "0.5/sqrt(x)"},
      {"tanh(x)", "1 - tanh(x)*tanh(x)"},
      {"y*x + z", "y"},
      {"x/y", "1/y"},
      {"x^2", "2*x"},
      {"x^3", "3*x^2"},
      {"-x", "-1"},
      {"z - y*x", "-y"},
      {"log(x)", "1/x"},
      {"abs(x)", "sign(x)"},
      {"piecewise(2*x, y < z, 3)", "piecewise(2, y < z, 0)"},
  };
  for (const auto& [text, expected] : cases) {
    Graph graph;
    const NodeId slope = parsed(graph, expected);
    const auto entries = jacobian(graph, std::array{parsed(graph, text)}, std::array{graph.symbol("x")});
    ASSERT_EQ(entries.size(), 1U) << text;
    EXPECT_EQ(entries[0].node, slope) << text << " gives " << print(graph, entries[0].node);
  }
}

TEST(Derivatives, TreatAVariableThatIsAnExpressionAsIndependent) {
  Graph graph;
  const NodeId product = parsed(graph, "x*y");
  const NodeId output = parsed(graph, "sin(x*y) + x");
  const auto entries = jacobian(graph, std::array{output}, std::array{graph.symbol("x"), product});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].node, graph.constant(1));
  EXPECT_EQ(entries[1].node, parsed(graph, "cos(x*y)"));
}

TEST(Derivatives, SortTheJacobianByRowThenColumn) {
  Graph graph;
  const std::array outputs{parsed(graph, "z*x"), graph.constant(4), parsed(graph, "x + y*y")};
  std::vector<std::pair<int, int>> places;
  for (const auto& entry : jacobian(graph, outputs, symbols(graph, names)))
    places.emplace_back(entry.row, entry.column);
  EXPECT_EQ(places, (std::vector<std::pair<int, int>>{{0, 0}, {0, 2}, {2, 0}, {2, 1}}));
}

TEST(Derivatives, AreZeroConstantsWhereForwardAndReverseFindNone) {
  Graph graph;
  const NodeId zero = graph.constant(0);
  const NodeId w = graph.symbol("w");
  EXPECT_EQ(forward(graph, std::array{parsed(graph, "y")}, std::array{graph.symbol("x")}, std::array{w})[0], zero);
  EXPECT_EQ(reverse(graph, std::array{parsed(graph, "y")}, std::array{w}, std::array{graph.symbol("x")})[0], zero);
}

// w'(Jv) = (J'w)'v, with J itself as a third witness, on random systems that share subexpressions.
TEST(Derivatives, AgreeForwardsAndBackwards) {
  const std::vector<Op> smooth{Op::add,  Op::subtract, Op::multiply, Op::divide, Op::exp,  Op::sin,     Op::cos,
                               Op::tanh, Op::atan,     Op::asinh,    Op::select, Op::less, Op::minimum, Op::maximum};
  Random random(99);
  int compared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Graph graph;
    const auto variables = symbols(graph, names);
    const auto v = symbols(graph, {"v0", "v1", "v2"});
    const auto w = symbols(graph, {"w0", "w1", "w2", "w3"});
    std::vector<NodeId> outputs;
    for (int i = 0; i < 4; ++i) outputs.push_back(planted(graph, random_tree(random, 4, smooth, names)));
    Values values;
    for (const char* name : {"x", "y", "z", "v0", "v1", "v2", "w0", "w1", "w2", "w3"}) values[name] = random.normal();

    const auto tangents = evaluate(graph, forward(graph, outputs, variables, v), values);
    const auto adjoints = evaluate(graph, reverse(graph, outputs, w, variables), values);
    double forwards = 0;
    double backwards = 0;
    double by_jacobian = 0;
    double size = 1;
    for (int i = 0; i < 4; ++i) forwards += values[fmt::format("w{}", i)] * tangents[i];
    for (int k = 0; k < 3; ++k) backwards += values[fmt::format("v{}", k)] * adjoints[k];
    for (const auto& entry : jacobian(graph, outputs, variables)) {
      const double term = values[fmt::format("w{}", entry.row)] * evaluate(graph, entry.node, values) *
                          values[fmt::format("v{}", entry.column)];
      by_jacobian += term;
      size += std::abs(term);
    }
    if (!std::isfinite(size)) continue;
    ++compared;
    EXPECT_NEAR(forwards, backwards, 1e-10 * size);
    EXPECT_NEAR(forwards, by_jacobian, 1e-10 * size);
  }
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace salvo::expression
