#pragma once

#include <memory>
#include <span>
#include <vector>

#include "compile/delays.hpp"
#include "compile/earlier_values.hpp"
#include "expression/differentiate.hpp"

namespace salvo::compile {

// What is known of a model when what it sees of the past is made into kernels.
struct DelayedModel {
  expression::Graph& graph;
  const Signature& signature;
  const EarlierValues& earlier;
  std::span<const expression::NodeId> f{};        // with frozen truth values
  std::span<const expression::NodeId> history{};  // of every state; none: its initial value
  const expression::Variables& states;
  const expression::Variables& active;
  expression::NodeId time = expression::no_node;
  int first = 0;  // place of the first delayed value among the parameters
  std::vector<bool> begins_at_rest{};
};

std::shared_ptr<const Delays> compile_delays(const DelayedModel& model);

}  // namespace salvo::compile
