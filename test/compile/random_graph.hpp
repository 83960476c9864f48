#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "compile/kernel.hpp"

namespace salvo::test {

using compile::Bank;
using expression::Graph;
using expression::NodeId;
using expression::Op;

inline constexpr int states = 3;
inline constexpr int parameters = 2;
inline constexpr int input_count = 1 + states + parameters;  // time first

// A random graph over all input_count, with every kind of operation.
struct RandomGraph {
  Graph graph{};
  std::vector<NodeId> symbols{};
  compile::Signature signature{};
  std::vector<NodeId> outputs{};

  // `can_hold` says which operations it may hold.
  template <class Filter>
  RandomGraph(std::uint64_t seed, const Filter& can_hold) {
    Random random(seed);
    const auto pick = [&random](std::size_t count) { return static_cast<std::size_t>(random.bits() % count); };
    for (int i = 0; i < input_count; ++i) symbols.push_back(graph.symbol(fmt::format("s{}", i)));
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
      if (!can_hold(op)) continue;
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
        for (int i = 0; i < input_count; ++i)
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

inline bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline std::vector<double> random_input(Random& random) {
  std::vector<double> input;
  for (int i = 0; i < input_count; ++i) input.push_back(2 * random.normal());
  return input;
}

// W different input_count side by side.
template <int W>
struct Lanes {
  std::vector<std::vector<double>> input{};
  std::vector<double> time = std::vector<double>(W);
  std::vector<double> state = std::vector<double>(states * W);
  std::vector<double> parameter = std::vector<double>(parameters * W);

  explicit Lanes(Random& random) {
    for (int l = 0; l < W; ++l) {
      input.push_back(random_input(random));
      time[l] = input[l][0];
      for (int i = 0; i < states; ++i) state[i * W + l] = input[l][1 + i];
      for (int i = 0; i < parameters; ++i) parameter[i * W + l] = input[l][1 + states + i];
    }
  }
  std::vector<double> run(const compile::Kernel& kernel) const {
    std::vector<double> work(kernel.work_size() * W), out(kernel.output_count() * W);
    kernel.run<W>({.time = time.data(), .state = state.data(), .parameter = parameter.data()}, work.data(), out.data());
    return out;
  }
};

}  // namespace salvo::test
