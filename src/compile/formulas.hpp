#pragma once

#include <vector>

#include "compile/listing.hpp"
#include "expression/differentiate.hpp"

namespace salvo::compile {

// What is left of a model when its kernels are made, for kernels that only some integrators need.
struct Formulas {
  expression::Graph graph{};
  std::vector<expression::NodeId> f{};
  std::vector<expression::JacobianEntry> f_x{};
  std::vector<expression::NodeId> states{};
  std::vector<int> algebraic{};  // states
  std::vector<expression::NodeId> active{};
  std::vector<expression::NodeId> delayed{};  // values from the past
  expression::NodeId time = expression::no_node;
  bool uses_time = false;
  bool switches = false;  // f has truth values
  Signature signature{};

  // A symbol for a number that a kernel takes as a seed, which no user can name.
  expression::NodeId seed(const std::string& name, int place, Signature& with) {
    const expression::NodeId node = graph.symbol(name);
    with[node] = {Bank::seed, place};
    return node;
  }
};

}  // namespace salvo::compile
