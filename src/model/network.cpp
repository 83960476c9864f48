#include "model/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"
#include "base/random.hpp"

namespace salvo::model {
namespace {

using expression::Graph;
using expression::Op;

NodeId activated(Graph& graph, Activation activation, NodeId a) {
  switch (activation) {
    case Activation::tanh: return graph.make(Op::tanh, a);
    case Activation::sine: return graph.make(Op::sin, a);
    case Activation::sigmoid: {  // 1/(1 + e^-a), written so that nothing overflows
      const NodeId half = graph.constant(0.5);
      return graph.add(half, graph.multiply(half, graph.make(Op::tanh, graph.multiply(half, a))));
    }
  }
  return a;
}

}  // namespace

int Network::parameters() const {
  int count = 0;
  for (std::size_t l = 1; l < widths.size(); ++l) count += (widths[l - 1] + 1) * widths[l];
  return count;
}

bool is_weight(const Problem& problem, int parameter) {
  return std::any_of(problem.networks.begin(), problem.networks.end(),
                     [parameter](const Network& network) { return network.owns(parameter); });
}

std::string weight_name(const std::string& network, int layer, int to, int from) {
  return fmt::format("{}_w{}_{}_{}", network, layer, to, from);
}

std::string bias_name(const std::string& network, int layer, int to) {
  return fmt::format("{}_b{}_{}", network, layer, to);
}

std::string output_name(const std::string& network, int output) { return fmt::format("{}{}", network, output); }

std::vector<Parameter> network_parameters(Graph& graph, const Network& network) {
  std::vector<Parameter> parameters;
  parameters.reserve(static_cast<std::size_t>(network.parameters()));
  Random random = Random::stream(network.seed, 0);
  const auto add = [&](std::string id, double guess, double size) {
    const NodeId symbol = graph.symbol(id);
    const Estimated estimated{.guess = guess, .prior = network.prior, .size = size};
    parameters.push_back({std::move(id), symbol, estimated});
  };
  for (int l = 1; l < static_cast<int>(network.widths.size()); ++l) {
    const int from = network.widths[l - 1];
    const int to = network.widths[l];
    const double spread = std::sqrt(2.0 / (from + to));
    for (int i = 1; i <= to; ++i)
      for (int j = 1; j <= from; ++j) add(weight_name(network.id, l, i, j), spread * random.normal(), spread);
    for (int i = 1; i <= to; ++i) add(bias_name(network.id, l, i), 0, spread);
  }
  return parameters;
}

std::vector<NodeId> network_outputs(Graph& graph, const Network& network, std::span<const NodeId> inputs,
                                    std::span<const Parameter> parameters) {
  SALVO_EXPECTS(static_cast<int>(inputs.size()) == network.widths.front());
  SALVO_EXPECTS(static_cast<int>(parameters.size()) == network.parameters());
  std::vector<NodeId> units(inputs.begin(), inputs.end());
  const int layers = static_cast<int>(network.widths.size()) - 1;
  std::size_t next = 0;
  for (int l = 1; l <= layers; ++l) {
    const std::size_t from = units.size();
    const auto to = static_cast<std::size_t>(network.widths[l]);
    const std::span<const Parameter> weights = parameters.subspan(next, from * to);
    const std::span<const Parameter> biases = parameters.subspan(next + from * to, to);
    next += (from + 1) * to;
    std::vector<NodeId> above;
    for (std::size_t i = 0; i < to; ++i) {
      NodeId sum = biases[i].symbol;
      for (std::size_t j = 0; j < from; ++j)
        sum = graph.add(sum, graph.multiply(weights[i * from + j].symbol, units[j]));
      above.push_back(l < layers ? activated(graph, network.activation, sum) : sum);
    }
    units = std::move(above);
  }
  return units;
}

}  // namespace salvo::model
