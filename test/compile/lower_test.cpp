#include "compile/lower.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "compile/kernel.hpp"

namespace salvo::compile {
namespace {

using expression::Graph;
using expression::NodeId;
using expression::Op;

double run(const Graph& graph, NodeId output, NodeId x, double value) {
  const Kernel tape(graph, std::vector<NodeId>{output}, {{x, {Bank::state, 0}}});
  std::vector<double> work(tape.work_size());
  double out = 0;
  tape.run<1>({.state = &value}, work.data(), &out);
  return out;
}

bool holds_a_power(const Graph& graph, NodeId root) {
  if (graph[root].op == Op::power) return true;
  for (int i = 0; i < expression::argument_count(graph[root].op); ++i)
    if (holds_a_power(graph, graph[root].arguments[i])) return true;
  return false;
}

TEST(LowerPowers, IsAsExactAsPow) {
  for (const double exponent : {-8., -7., -5., -3., -2., -1., 0.5, 2., 3., 4., 5., 6., 7., 8.}) {
    Graph graph;
    const NodeId x = graph.symbol("x");
    const NodeId power = graph.make(Op::power, x, graph.constant(exponent));
    const NodeId lowered = lower_powers(graph, std::vector<NodeId>{power})[0];
    EXPECT_FALSE(holds_a_power(graph, lowered)) << exponent;
    for (double value = 0.013; value < 40; value *= 1.13) {
      for (const double signed_value : {value, -value}) {
        if (exponent == 0.5 && signed_value < 0) continue;
        const double expected = static_cast<double>(
            exponent == 0.5 ? std::sqrt(static_cast<long double>(signed_value))
                            : std::pow(static_cast<long double>(signed_value), static_cast<int>(exponent)));
        const double ulp = std::abs(std::nextafter(expected, 1e300) - expected);
        EXPECT_LE(std::abs(run(graph, lowered, x, signed_value) - expected), 4 * ulp)
            << signed_value << " to the " << exponent;
      }
    }
  }
}

TEST(LowerPowers, LeavesOtherExponentsAlone) {
  Graph graph;
  const NodeId x = graph.symbol("x");
  for (const double exponent : {1.5, 9., -0.5, 100.}) {
    const NodeId power = graph.make(Op::power, x, graph.constant(exponent));
    EXPECT_EQ(lower_powers(graph, std::vector<NodeId>{power})[0], power) << exponent;
  }
  const NodeId variable = graph.make(Op::power, x, x);
  EXPECT_EQ(lower_powers(graph, std::vector<NodeId>{variable})[0], variable);
}

TEST(LowerPowers, ReachesPowersInsidePowers) {
  Graph graph;
  const NodeId x = graph.symbol("x");
  const NodeId inner = graph.add(graph.make(Op::power, x, graph.constant(3)), graph.constant(1));
  const NodeId middle = graph.add(graph.make(Op::power, inner, graph.constant(-2)), x);
  const NodeId outer = graph.make(Op::power, middle, graph.constant(4));
  const NodeId lowered = lower_powers(graph, std::vector<NodeId>{outer})[0];
  EXPECT_FALSE(holds_a_power(graph, lowered));
  const double i = 0.9 * 0.9 * 0.9 + 1;
  EXPECT_NEAR(run(graph, lowered, x, 0.9), std::pow(1 / (i * i) + 0.9, 4), 1e-14);
}

}  // namespace
}  // namespace salvo::compile
