#include "model/network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace salvo::model {
namespace {

using expression::Graph;

// The value of a node, from the values of symbols by name.
double value_of(const Graph& graph, NodeId root, const std::map<std::string, double>& symbols) {
  std::vector<double> value(static_cast<std::size_t>(root) + 1, 0.0);
  for (NodeId id = 0; id <= root; ++id) {
    const expression::Node& node = graph[id];
    if (graph.is_constant(id)) value[id] = node.value;
    if (graph.is_symbol(id)) value[id] = symbols.at(graph.symbol_name(id));
    const int count = expression::argument_count(node.op);
    const auto argument = [&](int i) { return i < count ? value[node.arguments[i]] : 0.0; };
    if (count > 0) value[id] = expression::apply(node.op, argument(0), argument(1), argument(2));
  }
  return value[root];
}

TEST(Network, IsALinearLayerOfActivatedUnits) {
  for (const auto& [activation, a] : std::vector<std::pair<Activation, double (*)(double)>>{
           {Activation::tanh, [](double z) { return std::tanh(z); }},
           {Activation::sigmoid, [](double z) { return 1 / (1 + std::exp(-z)); }},
           {Activation::sine, [](double z) { return std::sin(z); }}}) {
    Graph graph;
    const Network network{.id = "f", .widths = {2, 2, 1}, .activation = activation};
    const std::vector<NodeId> inputs{graph.symbol("x"), graph.symbol("y")};
    const auto parameters = network_parameters(graph, network);
    const auto outputs = network_outputs(graph, network, inputs, parameters);
    ASSERT_EQ(outputs.size(), 1u);
    const std::map<std::string, double> at{{"x", 0.3},      {"y", -0.7},      {"f_w1_1_1", 0.5}, {"f_w1_1_2", -1.5},
                                           {"f_w1_2_1", 2}, {"f_w1_2_2", 1},  {"f_b1_1", 0.1},   {"f_b1_2", -0.2},
                                           {"f_w2_1_1", 3}, {"f_w2_1_2", -4}, {"f_b2_1", 0.25}};
    const double first = a(0.5 * 0.3 - 1.5 * -0.7 + 0.1);
    const double second = a(2 * 0.3 + 1 * -0.7 - 0.2);
    EXPECT_NEAR(value_of(graph, outputs[0], at), 3 * first - 4 * second + 0.25, 1e-15) << to_string(activation);
  }
}

TEST(Network, WithoutHiddenLayersIsLinear) {
  Graph graph;
  const Network network{.id = "f", .widths = {1, 1}};
  const auto parameters = network_parameters(graph, network);
  const std::vector<NodeId> inputs{graph.symbol("x")};
  const NodeId output = network_outputs(graph, network, inputs, parameters)[0];
  EXPECT_EQ(value_of(graph, output, {{"x", 2}, {"f_w1_1_1", 3}, {"f_b1_1", 5}}), 11);
}

TEST(Network, StartsFromItsSeedAlone) {
  Graph graph;
  Network network{.id = "f", .widths = {2, 16, 16, 2}};
  const auto guess = [](const Parameter& p) { return *std::get<Estimated>(p.value).guess; };
  const auto one = network_parameters(graph, network);
  EXPECT_EQ(static_cast<int>(one.size()), network.parameters());
  EXPECT_EQ(network.parameters(), 2 * 16 + 16 + 16 * 16 + 16 + 16 * 2 + 2);
  const auto again = network_parameters(graph, network);
  network.seed = 2;
  const auto other = network_parameters(graph, network);
  int same = 0;
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(guess(one[k]), guess(again[k]));
    same += guess(one[k]) == guess(other[k]) ? 1 : 0;
  }
  EXPECT_EQ(same, 34);  // the biases, which start at zero
}

TEST(Network, WeightsStartWithTheVarianceOfTheirLayer) {
  Graph graph;
  const auto parameters = network_parameters(graph, {.id = "f", .widths = {100, 60}});
  double squares = 0;
  for (int k = 0; k < 6000; ++k) squares += std::pow(*std::get<Estimated>(parameters[k].value).guess, 2);
  EXPECT_NEAR(squares / 6000, 2.0 / 160, 4 * 2.0 / 160 * std::sqrt(2.0 / 6000));  // four standard errors
  EXPECT_EQ(*std::get<Estimated>(parameters[6000].value).guess, 0);
  EXPECT_EQ(parameters[6000].id, "f_b1_1");
}

}  // namespace
}  // namespace salvo::model
