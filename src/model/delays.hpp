#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::model {

// Every delay(e, d) in the formulas of the problem, as a node; inner ones before outer ones.
std::vector<NodeId> delays_of(const Problem& problem);
bool has_delays(const Problem& problem);

// The states that formulas see as they were before, in order.
std::vector<int> delayed_states(const Problem& problem);

// Does it keep what is needed to read a trajectory between its steps?
bool knows_delays(const Integrator& integrator);

// A delay that its bounds do not keep above 0, or a state whose past is not known.
struct DelayFault {
  NodeId delay = expression::no_node;
  int state = -1;
  std::string message{};
  std::string hint{};
};
std::vector<DelayFault> delay_faults(const Problem& problem);

}  // namespace salvo::model
