#include "expression/earlier.hpp"
#include "expression/formula_tools.hpp"
#include "expression/print.hpp"

namespace salvo::expression {
namespace {

Formula formula_of(Graph& graph, std::string_view text) {
  const auto outcome = parse(graph, text);
  const auto* formula = std::get_if<Formula>(&outcome);
  if (formula != nullptr) return *formula;
  ADD_FAILURE() << text << ": " << std::get<ParseError>(outcome).message;
  return {};
}

std::string error_in(std::string_view text) {
  Graph graph;
  const auto outcome = parse(graph, text);
  const auto* error = std::get_if<ParseError>(&outcome);
  return error == nullptr ? "" : error->message;
}

TEST(Delay, IsPrintedAsItIsRead) {
  for (const std::string text : {"delay(x, tau)", "r*N*(1 - delay(N, tau)/K)", "delay(x + y*t, 2*tau)^2",
                                 "-delay(delay(x, a), b)", "piecewise(delay(x, tau), x < 1, 0)"}) {
    Graph graph;
    const std::string printed = print(graph, parsed(graph, text));
    EXPECT_EQ(printed, text);
    EXPECT_EQ(parsed(graph, printed), parsed(graph, text));
  }
}

TEST(Delay, OfAnEarlierTimeIsTheSameNode) {
  Graph graph;
  const auto expect_same = [&](std::string_view a, std::string_view b) {
    EXPECT_EQ(parsed(graph, a), parsed(graph, b)) << a << " and " << b;
  };
  expect_same("N(t - tau)", "delay(N, tau)");
  expect_same("N(time - tau)", "delay(N, tau)");
  expect_same("N(-tau + t)", "delay(N, tau)");
  expect_same("N(t - 1.5)", "delay(N, 1.5)");
  expect_same("N(t - a - b)", "delay(N, a + b)");
  expect_same("N(t - (a + b))", "delay(N, a + b)");
  expect_same("N(t - a + b)", "delay(N, a - b)");
  expect_same("N(t - 2*tau)", "delay(N, 2*tau)");
  expect_same("N(t)", "N");
  expect_same("N(t - t/2)", "delay(N, t/2)");
  expect_same("N(t + 1)", "delay(N, -1)");
  expect_same("r*N(t - tau)*N", "r*delay(N, tau)*N");
}

TEST(Delay, IsNamedWithItsColumnAndItsNames) {
  Graph graph;
  const Formula formula = formula_of(graph, "a*x(t - tau) + delay(y, 2)");
  ASSERT_EQ(formula.delays.size(), 2u);
  EXPECT_EQ(formula.delays[0].column, 3);
  EXPECT_TRUE(formula.delays[0].is_call);
  EXPECT_EQ(formula.delays[0].of, graph.symbol("x"));
  EXPECT_EQ(formula.delays[0].by, graph.symbol("tau"));
  EXPECT_EQ(formula.delays[1].column, 16);
  EXPECT_FALSE(formula.delays[1].is_call);
  EXPECT_EQ(formula.delays[1].by, graph.constant(2));
  std::vector<std::string> names;
  for (const NameUse& use : formula.names) names.push_back(use.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "x", "t", "tau", "y"}));
}

TEST(Delay, DependsOnWhatStandsInIt) {
  Graph graph;
  const NodeId node = parsed(graph, "delay(x*k, tau)");
  std::vector<std::string> names;
  for (const NodeId symbol : symbols_of(graph, {&node, 1})) names.push_back(graph.symbol_name(symbol));
  EXPECT_EQ(names, (std::vector<std::string>{"x", "k", "tau"}));
}

TEST(Delay, HasNamesPutIn) {
  Graph graph;
  const std::vector<NodeId> from{graph.symbol("flux"), graph.symbol("tau")};
  const std::vector<NodeId> to{parsed(graph, "k*x"), parsed(graph, "a + b")};
  const NodeId node = parsed(graph, "1 + delay(flux, tau)");
  EXPECT_EQ(substitute(graph, {&node, 1}, from, to)[0], parsed(graph, "1 + delay(k*x, a + b)"));
}

TEST(Delay, OfANumberIsTheNumber) {
  Graph graph;
  EXPECT_EQ(parsed(graph, "delay(3, tau)"), graph.constant(3));
}

TEST(Delay, LeavesItsNameToParameters) {
  Graph graph;
  EXPECT_EQ(parsed(graph, "2*delay"), graph.multiply(graph.constant(2), graph.symbol("delay")));
  EXPECT_EQ(parsed(graph, "x(t - delay)"), parsed(graph, "delay(x, delay)"));
  EXPECT_FALSE(is_reserved("delay"));
}

TEST(Delay, OfTooFewOrTooManyArgumentsIsRefused) {
  EXPECT_EQ(error_in("delay(x)"), "delay takes 2 arguments, a formula and a delay, here it gets 1 argument");
  EXPECT_EQ(error_in("delay(x, 1, 2)"), "delay takes 2 arguments, a formula and a delay, here it gets 3 arguments");
}

TEST(Delay, IsNotMeantWithoutTheTime) {
  EXPECT_EQ(error_in("x(tau)"), "there is no function 'x'");
  EXPECT_EQ(error_in("x(a, t)"), "there is no function 'x'");
  EXPECT_EQ(error_in("x(t - )"), "there is no function 'x'");
  EXPECT_EQ(error_in("Exp(t - tau)"), "there is no function 'Exp'");
}

TEST(Delay, TakesLongSumsApartWithoutRecursion) {
  std::string text = "x(t";
  for (int i = 0; i < 50'000; ++i) text += " - a" + std::to_string(i % 7);
  Graph graph;
  EXPECT_NE(parsed(graph, text + ")"), no_node);
}

}  // namespace
}  // namespace salvo::expression
