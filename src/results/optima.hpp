#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/starts.hpp"

namespace salvo {

// What several converged starts found in common.
struct Optimum {
  double objective = 0;  // the best of theirs; the parameters belong to it
  std::vector<std::pair<std::string, double>> parameters{};
  std::vector<int> starts{};
  bool is_one_point = true;  // false: other parameters are as good
};

// Starts have found the same optimum where what they estimate agrees as far as the data tell it
// (StartResult::minimum); under a symmetry of the model there are several optima with one objective. Along a direction
// that the data do not see the parameters of one optimum differ; whether they do, by more than a thousandth of their
// size, is told. The best comes first.
std::vector<Optimum> distinct_optima(const std::vector<StartResult>& starts);

// How many starts ended in which other way, and what most of them said.
struct Failures {
  Status status = Status::numerical_failure;
  int count = 0;
  std::string reason{};  // of one of them; empty if none gave any
};
std::vector<Failures> not_converged(const std::vector<StartResult>& starts);

}  // namespace salvo
