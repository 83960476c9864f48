#include <gtest/gtest.h>

#include <cmath>

#include "compile/random_graph.hpp"

namespace salvo::compile {
namespace {

using expression::Graph;
using expression::NodeId;
using expression::Op;

using test::RandomGraph;

template <int W>
void expect_every_lane_as_naive(const RandomGraph& random_graph, const Kernel& tape, Random& random) {
  const test::Lanes<W> lanes(random);
  const std::vector<double> out = lanes.run(tape);
  for (int l = 0; l < W; ++l) {
    const std::vector<double> expected = random_graph.naive(lanes.input[l]);
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_TRUE(test::same_bits(out[k * W + l], expected[k]))
          << "lane " << l << " of " << W << ", output " << k << ": " << out[k * W + l] << " is not " << expected[k];
  }
}

TEST(Tape, ComputesWhatTheNodesSayOnEveryLane) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomGraph random_graph(seed, [](Op) { return true; });
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
