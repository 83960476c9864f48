#pragma once

#include <vector>

#include "model/problem.hpp"

namespace salvo::shooting {

// The nodes tau_0 < ... < tau_K of one experiment. Only experiments with measurements are laid on a grid.
struct Grid {
  int experiment = 0;
  std::vector<double> tau{};
  int intervals() const { return static_cast<int>(tau.size()) - 1; }
};

// One grid for each experiment that has measurements. `auto` must have been decided before.
std::vector<Grid> make_grids(const model::Problem& problem, const model::Nodes& nodes);

}  // namespace salvo::shooting
