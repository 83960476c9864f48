#include "expression/graph.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "expression/formula_tools.hpp"
#include "expression/print.hpp"

namespace salvo::expression {
namespace {

TEST(Graph, HoldsEqualNodesOnce) {
  Graph graph;
  EXPECT_EQ(parsed(graph, "sin(k*x) + 1"), parsed(graph, "sin(k*x) + 1"));
  const int size = graph.size();
  parsed(graph, "sin(k*x)");
  EXPECT_EQ(graph.size(), size);
}

TEST(Graph, DoesNotMindTheOrderOfCommutingArguments) {
  Graph graph;
  for (const std::string sign : {"+", "*", "==", "!=", "&&", "||"}) {
    EXPECT_EQ(parsed(graph, "a" + sign + "b"), parsed(graph, "b" + sign + "a")) << sign;
  }
  EXPECT_EQ(parsed(graph, "min(a, b)"), parsed(graph, "min(b, a)"));
  EXPECT_EQ(parsed(graph, "max(a, b)"), parsed(graph, "max(b, a)"));
  for (const std::string sign : {"-", "/", "^", "<", "<="}) {
    EXPECT_NE(parsed(graph, "a" + sign + "b"), parsed(graph, "b" + sign + "a")) << sign;
  }
  EXPECT_EQ(parsed(graph, "a < b"), parsed(graph, "b > a"));
}

TEST(Graph, TellsTheTwoZerosApartAndKnowsOneNan) {
  Graph graph;
  EXPECT_NE(graph.constant(0.0), graph.constant(-0.0));
  EXPECT_EQ(graph.constant(std::nan("1")), graph.constant(-std::nan("2")));
}

TEST(Graph, PutsArgumentsBeforeTheNodesThatUseThem) {
  Graph graph;
  Random random(11);
  const auto operations = all_operations();
  const std::vector<std::string> names{"a", "b", "c"};
  for (int trial = 0; trial < 200; ++trial) planted(graph, random_tree(random, 5, operations, names));
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (int i = 0; i < argument_count(graph[id].op); ++i) EXPECT_LT(graph[id].arguments[i], id);
  }
}

TEST(Graph, FindsSymbolsByName) {
  Graph graph;
  const NodeId x = graph.symbol("x");
  EXPECT_EQ(graph.find_symbol("x"), x);
  EXPECT_EQ(graph.find_symbol("y"), std::nullopt);
  EXPECT_EQ(graph.symbol_name(x), "x");
}

TEST(Graph, SubstitutesAllAtOnce) {
  Graph graph;
  const NodeId formula = parsed(graph, "x/y + exp(x)");
  const std::array from{graph.symbol("x"), graph.symbol("y")};
  const std::array to{graph.symbol("y"), parsed(graph, "x + 1")};
  EXPECT_EQ(substitute(graph, std::array{formula}, from, to)[0], parsed(graph, "y/(x + 1) + exp(y)"));
}

TEST(Graph, SubstitutesWholeSubexpressions) {
  Graph graph;
  const NodeId formula = parsed(graph, "sin(a*b) + a");
  const std::array from{parsed(graph, "a*b")};
  const std::array to{graph.constant(0)};
  EXPECT_EQ(substitute(graph, std::array{formula, from[0]}, from, to),
            (std::vector<NodeId>{graph.symbol("a"), graph.constant(0)}));
}

TEST(Graph, ListsTheSymbolsOfItsRoots) {
  Graph graph;
  const NodeId a = graph.symbol("a");
  const NodeId b = graph.symbol("b");
  parsed(graph, "c*d");
  EXPECT_EQ(symbols_of(graph, std::array{parsed(graph, "exp(b) + 1"), parsed(graph, "b*a")}),
            (std::vector<NodeId>{a, b}));
  EXPECT_TRUE(symbols_of(graph, std::array{graph.constant(3)}).empty());
}

TEST(Apply, PassesNanThroughMinMaxAndSign) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Op op : {Op::minimum, Op::maximum}) {
    EXPECT_TRUE(std::isnan(apply(op, nan, 1)));
    EXPECT_TRUE(std::isnan(apply(op, 1, nan)));
  }
  EXPECT_TRUE(std::isnan(apply(Op::sign, nan)));
}

TEST(Apply, CountsEveryNumberButZeroAsTrue) {
  EXPECT_EQ(apply(Op::select, -0.1, 1, 2), 1);
  EXPECT_EQ(apply(Op::select, -0.0, 1, 2), 2);
  EXPECT_EQ(apply(Op::select, std::nan(""), 1, 2), 1);
  EXPECT_EQ(apply(Op::logical_not, 0.5), 0);
  EXPECT_EQ(apply(Op::logical_and, 2, 3), 1);
  EXPECT_EQ(apply(Op::logical_or, 0, 0), 0);
}

}  // namespace
}  // namespace salvo::expression
