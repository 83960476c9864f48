#include "expression/field_operators.hpp"

#include <gtest/gtest.h>

#include <string>

#include "expression/formula_tools.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"

namespace salvo::expression {
namespace {

bool has_field_operators(const Graph& graph, NodeId node) {
  const std::vector<NodeId> reached = reached_from(graph, {&node, 1}, [](NodeId) { return false; });
  return std::any_of(reached.begin(), reached.end(), [&](NodeId id) { return is_field_operator(graph[id].op); });
}

TEST(FieldOperators, ArePrintedAsTheyWereWritten) {
  for (const std::string text :
       {"D*dxx(u) + lambda*u*(1 - u/K)", "div(D*u*grad(u)) - v*dx(u)", "dy(u) + dyy(u)", "integral(u, x)",
        "integral(u^2, x, 0, 500)", "mean(u, x, a, b)", "u(at: 950)", "u(at: 950, 20)", "2*u(at: a + 3)^2",
        "(u*w)(at: 3)", "exp(u)(at: 3)", "dx(u)(at: 0)", "integral(integral(u, x), y)", "u(at: a)(at: b)"}) {
    Graph graph;
    for (const char* name : {"D", "lambda", "u", "v", "w", "x", "a", "b"}) graph.symbol(name);
    const NodeId node = parsed(graph, text);
    EXPECT_EQ(print(graph, node), text);
    EXPECT_EQ(parsed(graph, print(graph, node)), node);
    EXPECT_TRUE(has_field_operators(graph, node));
  }
}

TEST(FieldOperators, AreNeverComputedAsNumbers) {
  Graph graph;
  for (const std::string text : {"dx(2)", "integral(2, x, 0, 1)", "mean(1, x)", "div(grad(3))"})
    EXPECT_FALSE(graph.is_constant(parsed(graph, text))) << text;
}

TEST(FieldOperators, LeaveTheirNamesToOthersWhereNoParenthesisFollows) {
  Graph graph;
  const NodeId node = parsed(graph, "mean + dx*at");
  EXPECT_FALSE(has_field_operators(graph, node));
  EXPECT_FALSE(is_reserved("mean"));
}

TEST(FieldOperators, SayHowTheyAreWritten) {
  Graph graph;
  const auto complaint = [&](const char* text) {
    const auto outcome = parse(graph, text);
    const auto* error = std::get_if<ParseError>(&outcome);
    return error == nullptr ? std::string("none") : error->message + "; " + error->hint;
  };
  EXPECT_EQ(complaint("dx(u, x)"), "dx takes 1 argument, here it gets 2 arguments; write dx(u)");
  EXPECT_EQ(complaint("integral(u)"),
            "integral takes 2 or 4 arguments, here it gets 1 argument; write integral(u, x), or integral(u, x, from, "
            "to)");
  EXPECT_EQ(complaint("mean(u, 3)"),
            "the second argument of mean must be a coordinate; write mean(u, x), or mean(u, x, from, to)");
  EXPECT_EQ(complaint("u(at: )"), "the place is missing; write u(at: 3)");
  EXPECT_EQ(complaint("u: 3"), "a formula cannot contain ':'; a place is written u(at: 3)");
}

}  // namespace
}  // namespace salvo::expression
