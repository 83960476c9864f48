#pragma once

#include <functional>
#include <vector>

#include "design/weights.hpp"

namespace salvo::design {

// How many of each candidate.
struct Exact {
  std::vector<int> count{};
  double loss = 0;
};

// Whole numbers of samples: the weights are rounded, and single samples are exchanged for others as long as that helps;
// so too from samples drawn by the weights, and the best is kept ([Fedorov72]).
Exact best_exact(const Problem& problem, const Purse& purse, const Weights& weights,
                 const std::function<bool()>& should_stop);

}  // namespace salvo::design
