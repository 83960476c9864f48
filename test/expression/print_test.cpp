#include "expression/print.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expression/formula_tools.hpp"

namespace salvo::expression {
namespace {

TEST(Printer, UsesNoMoreParenthesesThanNeeded) {
  for (const std::string text : {"a + b*c",
                                 "(a + b)*c",
                                 "a - b - c",
                                 "a - (b - c)",
                                 "a - (b + c)",
                                 "a/b/c",
                                 "a/(b*c)",
                                 "a*b/c",
                                 "a^b^c",
                                 "(a^b)^c",
                                 "(a*b)^c",
                                 "(-a)^b",
                                 "-a^b",
                                 "a^-b",
                                 "a^(b + c)",
                                 "-(a*b)",
                                 "-a*b",
                                 "-(a + b)",
                                 "!(a < b)",
                                 "!a < b",
                                 "a < b && b < c",
                                 "(a && b) || c",
                                 "a && b && c",
                                 "(a < b) == c",
                                 "a - (b && c)",
                                 "(a < b) - c",
                                 "a < (b <= c)",
                                 "exp(a + b)",
                                 "ln(a)/ln(b)",
                                 "arcsin(a)",
                                 "(-2)^a",
                                 "a^-2",
                                 "a/-2",
                                 "min(a, b, c)",
                                 "max(min(a, b), c)",
                                 "piecewise(a, b < c, b)",
                                 "piecewise(a, b < c, b, c < a, c)"}) {
    Graph graph;
    parsed(graph, "a + b + c");  // so that the symbols stand in alphabetical order
    EXPECT_EQ(print(graph, parsed(graph, text)), text == "max(min(a, b), c)" ? "max(c, min(a, b))" : text);
  }
}

TEST(Printer, PutsTheLongerOperandOfASumFirstRatherThanInParentheses) {
  Graph graph;
  EXPECT_EQ(print(graph, parsed(graph, "a + (b - c)")), "b - c + a");
  EXPECT_EQ(print(graph, parsed(graph, "a*(b/c)")), "b/c*a");
}

TEST(Printer, WritesWhatHasANameByIt) {
  Graph graph;
  const NodeId v = parsed(graph, "k*a/(K + a)");
  EXPECT_EQ(print(graph, parsed(graph, "-(k*a/(K + a)) - b"), {{v, "v"}}), "-v - b");
  EXPECT_EQ(print(graph, parsed(graph, "(k*a/(K + a))^2"), {{v, "v"}, {parsed(graph, "a"), "x"}}), "v^2");
  const NodeId low = parsed(graph, "min(a, b)");
  EXPECT_EQ(print(graph, parsed(graph, "min(a, b, c)"), {{low, "low"}}), "min(low, c)");
  const NodeId later = parsed(graph, "piecewise(1, a < 2, 3)");
  EXPECT_EQ(print(graph, parsed(graph, "piecewise(0, a < 1, 1, a < 2, 3)"), {{later, "later"}}),
            "piecewise(0, a < 1, later)");
}

TEST(Printer, WritesNumbersThatReadBackAsThemselves) {
  Graph graph;
  for (const double value :
       {0.1, -0.1, 1e300, 5e-324, -0.0, 0.0, 1.0 / 3, 123456789.0, std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const NodeId node = graph.constant(value);
    EXPECT_EQ(parsed(graph, print(graph, node)), node) << print(graph, node);
  }
}

TEST(Printer, WritesWhatTheParserReadsAsTheSameNode) {
  auto operations = all_operations();
  const std::vector<std::string> names{"a", "b", "c"};
  Random random(5);
  for (int trial = 0; trial < 5'000; ++trial) {
    Graph graph;
    const NodeId node = planted(graph, random_tree(random, 1 + below(random, 7), operations, names));
    const std::string text = print(graph, node);
    EXPECT_EQ(parsed(graph, text), node) << text;
  }
}

}  // namespace
}  // namespace salvo::expression
