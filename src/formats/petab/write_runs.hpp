#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/problem.hpp"

namespace salvo::formats::petab {

using expression::NodeId;

// What is set from one time on. Targets are symbols of states and parameters.
struct WrittenPeriod {
  double time = 0;  // -inf: where it comes to rest first
  std::vector<std::pair<NodeId, NodeId>> set{};
  // Parameters in the values are those of the parameter table; otherwise what they are in the model by then.
  bool by_table = true;
};

// The problem's experiments as PEtab has them. Events at known times are periods; values at the start that all
// experiments share belong to the model.
struct WrittenRuns {
  std::vector<std::vector<WrittenPeriod>> experiments{};  // of each, in the order of time
  std::vector<NodeId> initial{};                          // by state; none where the experiments set it
  std::vector<int> events{};                              // those that are left for the model
  // Estimated initial values are parameters in PEtab: their symbols, with names that were free.
  std::vector<model::Parameter> start_values{};
};

// Symbols are entered into the problem's graph.
WrittenRuns make_runs(model::Problem& problem);

}  // namespace salvo::formats::petab
