#pragma once

#include <algorithm>
#include <vector>

#include "model/problem.hpp"

namespace salvo::model {

// An amount that flows into a state at a constant rate:
//   dx/dt = ... + amount / duration   for   begin <= t < begin + duration.
struct Infusion {
  int state = 0;
  NodeId amount = expression::no_node;  // these are expressions of parameters
  NodeId begin = expression::no_node;
  NodeId duration = expression::no_node;
  std::vector<int> experiments{};  // it acts in these, in order; none: in all

  bool acts_in(int experiment) const {
    return experiments.empty() || std::binary_search(experiments.begin(), experiments.end(), experiment);
  }
};

// Writes the infusions into the right-hand sides. Experiments whose infusions differ share the terms: the n-th term of
// a state is each experiment's own n-th infusion, by constants that every experiment sets for itself.
void add_infusions(Problem& problem, const std::vector<Infusion>& infusions);

}  // namespace salvo::model
