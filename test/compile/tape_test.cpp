#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/random.hpp"
#include "compile/kernel.hpp"

namespace salvo::compile {
namespace {

using expression::Graph;
using expression::NodeId;
using expression::Op;

constexpr int states = 3;
constexpr int parameters = 2;
constexpr int inputs = 1 + states + parameters;  // time first

// A random graph over all inputs, with every kind of operation.
struct RandomGraph {
  Graph graph{};
  std::vector<NodeId> symbols{};
  Signature signature{};
  std::vector<NodeId> outputs{};

  explicit RandomGraph(std::uint64_t seed) {
    Random random(seed);
    const auto pick = [&random](std::size_t count) { return static_cast<std::size_t>(random.bits() % count); };
    for (int i = 0; i < inputs; ++i) symbols.push_back(graph.symbol(fmt::format("s{}", i)));
    signature[symbols[0]] = {Bank::time, 0};
    for (int i = 0; i < states; ++i) signature[symbols[1 + i]] = {Bank::state, i};
    for (int i = 0; i < parameters; ++i) signature[symbols[1 + states + i]] = {Bank::parameter, i};

    std::vector<NodeId> nodes = symbols;
    nodes.push_back(graph.constant(0.7));
    nodes.push_back(graph.constant(-2));
    const int first = static_cast<int>(Op::add);
    const int last = static_cast<int>(Op::select);
    for (int n = 0; n < 60; ++n) {
      const Op op = static_cast<Op>(first + static_cast<int>(pick(last - first + 1)));
      const auto any = [&] { return nodes[pick(nodes.size())]; };
      const NodeId a = any();
      const NodeId b = pick(4) == 0 ? a : any();
      const int arguments = expression::argument_count(op);
      nodes.push_back(arguments == 1   ? graph.make(op, a)
                      : arguments == 2 ? graph.make(op, a, b)
                                       : graph.make(op, a, b, any()));
    }
    for (int k = 0; k < 12; ++k) outputs.push_back(nodes[pick(nodes.size())]);
    outputs.push_back(symbols[2]);
    outputs.push_back(graph.constant(0.7));
    outputs.push_back(outputs[0]);
  }

  // Node by node, in the order of the list.
  std::vector<double> naive(const std::vector<double>& input) const {
    std::vector<double> value(graph.size());
    for (NodeId id = 0; id < graph.size(); ++id) {
      const auto& node = graph[id];
      const auto argument = [&](int i) { return node.arguments[i] < 0 ? 0.0 : value[node.arguments[i]]; };
      if (node.op == Op::constant) {
        value[id] = node.value;
      } else if (node.op == Op::symbol) {
        for (int i = 0; i < inputs; ++i)
          if (symbols[i] == id) value[id] = input[i];
      } else {
        value[id] = expression::apply(node.op, argument(0), argument(1), argument(2));
      }
    }
    std::vector<double> out;
    for (const NodeId id : outputs) out.push_back(value[id]);
    return out;
  }
};

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<double> random_input(Random& random) {
  std::vector<double> input;
  for (int i = 0; i < inputs; ++i) input.push_back(2 * random.normal());
  return input;
}

template <int W>
void expect_every_lane_as_naive(const RandomGraph& random_graph, const Kernel& tape, Random& random) {
  std::vector<std::vector<double>> lanes;
  for (int l = 0; l < W; ++l) lanes.push_back(random_input(random));
  std::vector<double> time(W), state(states * W), parameter(parameters * W);
  for (int l = 0; l < W; ++l) {
    time[l] = lanes[l][0];
    for (int i = 0; i < states; ++i) state[i * W + l] = lanes[l][1 + i];
    for (int i = 0; i < parameters; ++i) parameter[i * W + l] = lanes[l][1 + states + i];
  }
  std::vector<double> work(tape.work_size() * W), out(tape.output_count() * W);
  tape.run<W>({.time = time.data(), .state = state.data(), .parameter = parameter.data()}, work.data(), out.data());
  for (int l = 0; l < W; ++l) {
    const std::vector<double> expected = random_graph.naive(lanes[l]);
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_TRUE(same_bits(out[k * W + l], expected[k]))
          << "lane " << l << " of " << W << ", output " << k << ": " << out[k * W + l] << " is not " << expected[k];
  }
}

TEST(Tape, ComputesWhatTheNodesSayOnEveryLane) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomGraph random_graph(seed);
    const Kernel tape(random_graph.graph, random_graph.outputs, random_graph.signature);
    Random random(1000 + seed);
    SCOPED_TRACE(seed);
    for (int repeat = 0; repeat < 3; ++repeat) {
      expect_every_lane_as_naive<1>(random_graph, tape, random);
      expect_every_lane_as_naive<4>(random_graph, tape, random);
      expect_every_lane_as_naive<8>(random_graph, tape, random);
    }
  }
}

TEST(Tape, UsesARegisterAgainOnceItsValueIsNoLongerNeeded) {
  Graph graph;
  const NodeId x = graph.symbol("x");
  NodeId sum = graph.make(Op::sin, x);
  for (int n = 0; n < 100; ++n) sum = graph.add(graph.make(Op::sin, sum), x);
  const Kernel tape(graph, std::vector<NodeId>{sum}, {{x, {Bank::state, 0}}});
  EXPECT_EQ(tape.instruction_count(), 201);
  EXPECT_LE(tape.work_size(), 2);
  double expected = std::sin(0.3);
  for (int n = 0; n < 100; ++n) expected = std::sin(expected) + 0.3;
  const double state = 0.3;
  double work[2];
  double out = 0;
  tape.run<1>({.state = &state}, work, &out);
  EXPECT_EQ(out, expected);
}

TEST(Tape, KeepsAValueThatIsNeededTwice) {
  Graph graph;
  const NodeId x = graph.symbol("x");
  const NodeId early = graph.make(Op::exp, x);
  const NodeId square = graph.multiply(early, early);
  const NodeId late = graph.subtract(graph.make(Op::cos, square), early);
  const Kernel tape(graph, std::vector<NodeId>{late, early, square, x}, {{x, {Bank::state, 0}}});
  const double state = 0.4;
  std::vector<double> work(tape.work_size());
  double out[4];
  tape.run<1>({.state = &state}, work.data(), out);
  const double e = std::exp(0.4);
  EXPECT_EQ(out[0], std::cos(e * e) - e);
  EXPECT_EQ(out[1], e);
  EXPECT_EQ(out[2], e * e);
  EXPECT_EQ(out[3], 0.4);
}

TEST(Tape, WithoutOutputsDoesNothing) {
  const Kernel tape(Graph{}, std::vector<NodeId>{}, {});
  EXPECT_EQ(tape.output_count(), 0);
  EXPECT_EQ(tape.work_size(), 0);
}

}  // namespace
}  // namespace salvo::compile
