#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "expression/graph.hpp"
#include "expression/parse.hpp"

namespace salvo::expression {

using Values = std::map<std::string, double>;

// A formula that is expected to be sound.
NodeId parsed(Graph& graph, std::string_view text);

// Values of nodes, operation by operation over the list of nodes.
std::vector<double> evaluate(const Graph& graph, std::span<const NodeId> roots, const Values& values);
double evaluate(const Graph& graph, NodeId root, const Values& values);
double evaluate(std::string_view text, const Values& values = {});

// d root / d variable by the complex step, exact to rounding: Im f(x + ih) / h with h far below the rounding of x.
// Conditions look at real parts.
double complex_step(const Graph& graph, NodeId root, Values values, const std::string& variable);

// A formula as an ordinary tree, which nothing simplifies.
struct Tree {
  Op op = Op::constant;
  double value = 0;
  std::string name{};
  std::vector<Tree> arguments{};
};
Tree random_tree(Random& random, int depth, std::span<const Op> operations, std::span<const std::string> names);
NodeId planted(Graph& graph, const Tree& tree);

struct TreeValue {
  double value = 0;
  bool depends_on_sign_of_zero = false;  // 1/0 and 1/-0 differ, and simplification may turn one zero into the other
};
TreeValue evaluate(const Tree& tree, const Values& values);

// Every operation that has arguments.
std::vector<Op> all_operations();

int below(Random& random, int bound);  // 0 ... bound - 1

bool is_same_number(double a, double b);  // a NaN is the same as a NaN, 0 the same as -0

}  // namespace salvo::expression
