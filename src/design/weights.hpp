#pragma once

#include <functional>
#include <vector>

#include "design/criterion.hpp"

namespace salvo::design {

// sum cost_i w_i <= budget, 0 <= w_i <= limit_i
struct Purse {
  std::vector<double> cost{};
  std::vector<double> limit{};
  double budget = 0;
};

// The best weights of the continuous design, with the proof that they are: the theorem of equivalence
// ([KieferWolfowitz60], docs/mathematics.md, section 24) asks that d_i / cost_i is nowhere above its level, but where a
// weight is at its limit.
struct Weights {
  std::vector<double> w{};
  double loss = 0;
  std::vector<double> sensitivity{};  // d_i / cost_i
  double level = 0;                   // sum of w_i d_i over that of cost_i w_i, where no limit holds them
  double largest = 0;                 // d_i / cost_i of any candidate that is not at its limit
  double least_loss = 0;              // that no design goes below, proved at these weights
};
Weights best_weights(const Problem& problem, const Purse& purse, const std::function<bool()>& should_stop);

}  // namespace salvo::design
