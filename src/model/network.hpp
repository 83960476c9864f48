#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::model {

// Names of one network's numbers: the weight of unit `to` of a layer for its input `from`, and the unit's bias; all
// count from 1: f_w1_3_2, f_b1_3. Its outputs: f1, f2, ...
std::string weight_name(const std::string& network, int layer, int to, int from);
std::string bias_name(const std::string& network, int layer, int to);
std::string output_name(const std::string& network, int output);

// The weights and biases of a network as estimated parameters, layer by layer, each layer's weights unit by unit and
// then its biases. Weights start from normal numbers whose variance is 2/(inputs + outputs) of their layer ([GB10]),
// biases from zero. The symbols are entered into the graph.
std::vector<Parameter> network_parameters(expression::Graph& graph, const Network& network);

// The outputs of the network, a(...) applied unit by unit in every layer but the last:
//   u_0 = inputs,   u_l = a(W_l u_{l-1} + b_l),   outputs = W_L u_{L-1} + b_L
std::vector<NodeId> network_outputs(expression::Graph& graph, const Network& network, std::span<const NodeId> inputs,
                                    std::span<const Parameter> parameters);

}  // namespace salvo::model
