#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/status.hpp"

namespace salvo {

struct StartResult {  // one of several starts
  int start = 0;
  Status status = Status::converged;
  double objective = 0;
  double gap = 0;
  bool is_resolved = true;  // the objective is not lost in errors of integration
  int iterations = 0;
  int points = 0;    // that were tried within it
  int minimum = -1;  // which of the distinct minima it found, 0 the best; -1: none is proved
  double seconds = 0;
  std::string message{};
  std::vector<std::pair<std::string, double>> guess{};
  std::vector<std::pair<std::string, double>> parameters{};
};

// Another answer that fits as well as this one, or nearly.
struct Alternative {
  std::vector<std::pair<std::string, double>> parameters{};  // everything that was estimated, in user units
  double objective = 0;
  std::string sentence{};  // how it differs
};

}  // namespace salvo
