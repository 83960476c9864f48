#pragma once

#include <string>
#include <vector>

#include "base/matrix.hpp"
#include "base/run_context.hpp"
#include "fit/simulate.hpp"

namespace salvo::fit {

// How states and observables change with what is estimated, along the trajectories of a simulation: exact derivatives
// of the numbers that were computed, by each quantity on its scale.
struct Sensitivities {
  bool ok = true;
  std::string message{};
  std::vector<std::string> ids{};       // of the quantities
  std::vector<Matrix> by_experiment{};  // like the arcs: row time*n + i is state or observable i of n, states first
};

// At the times of the arcs that `simulate` gave for these options; of the context only `stop` is heeded.
Sensitivities sensitivities(const model::Problem& problem, const SimulateOptions& options, const std::vector<Arc>& arcs,
                            const RunContext& context = {});

}  // namespace salvo::fit
