#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "expression/differentiate.hpp"
#include "expression/formula_tools.hpp"
#include "expression/print.hpp"

namespace salvo::expression {
namespace {

TEST(LargeFormulas, OfAHundredThousandTermsAreOrdinary) {
  std::string text = "x";
  for (int i = 1; i < 100'000; ++i) text += i % 2 == 0 ? "+x" : "+x*2";
  Graph graph;
  const NodeId node = parsed(graph, text);
  const NodeId x = graph.symbol("x");
  EXPECT_EQ(evaluate(graph, node, {{"x", 1}}), 150'000);
  EXPECT_EQ(parsed(graph, print(graph, node)), node);
  EXPECT_EQ(symbols_of(graph, std::array{node}), std::vector<NodeId>{x});
  const auto slope = jacobian(graph, std::array{node}, std::array{x});
  ASSERT_EQ(slope.size(), 1U);
  EXPECT_EQ(slope[0].node, graph.constant(150'000));
  const auto tangent = forward(graph, std::array{node}, std::array{x}, std::array{graph.constant(1)});
  EXPECT_EQ(tangent[0], graph.constant(150'000));
  EXPECT_EQ(substitute(graph, std::array{node}, std::array{x}, std::array{graph.constant(1)})[0],
            graph.constant(150'000));
}

TEST(LargeFormulas, OfManyCasesAndArgumentsAreFlat) {
  std::string cases = "piecewise(";
  std::string list = "max(";
  for (int i = 0; i < 20'000; ++i) {
    cases += fmt::format("{0}, x < {0}, ", i);
    list += fmt::format("x*{}, ", i + 2);
  }
  for (const std::string& text : {cases + "x)", list + "x)"}) {
    Graph graph;
    const NodeId node = parsed(graph, text);
    EXPECT_EQ(parsed(graph, print(graph, node)), node);
  }
}

// A formula nested by hand rather than by text may be deeper than any stack.
TEST(LargeFormulas, MayBeNestedDeeplyInTheGraph) {
  Graph graph;
  const NodeId x = graph.symbol("x");
  NodeId node = x;
  for (int i = 0; i < 100'000; ++i) node = graph.make(Op::sin, node);
  EXPECT_EQ(print(graph, node).size(), 5U * 100'000 + 1);
  EXPECT_EQ(jacobian(graph, std::array{node}, std::array{x}).size(), 1U);
  EXPECT_EQ(forward(graph, std::array{node}, std::array{x}, std::array{x}).size(), 1U);
}

TEST(LargeFormulas, OfSparseSystemsHaveSparseJacobiansAtLinearCost) {
  constexpr int count = 1000;
  constexpr int neighbours = 5;
  Graph graph;
  std::vector<NodeId> variables;
  for (int i = 0; i < count; ++i) variables.push_back(graph.symbol(fmt::format("x{}", i)));
  std::vector<NodeId> outputs;
  for (int i = 0; i < count; ++i) {
    NodeId product = graph.constant(2);
    for (int k = 0; k < neighbours; ++k) product = graph.multiply(product, variables[(i + 7 * k) % count]);
    outputs.push_back(product);
  }
  const int before = graph.size();
  EXPECT_EQ(jacobian(graph, outputs, variables).size(), static_cast<std::size_t>(count * neighbours));
  EXPECT_LT(graph.size() - before, 4 * count * neighbours);
}

}  // namespace
}  // namespace salvo::expression
