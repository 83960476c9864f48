#pragma once

#include <string>
#include <vector>

namespace salvo {

struct TracePoint {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double step = 0;          // scaled length of the step that led here
  double multiplier = 0;    // largest multiplier of the gaps
  std::string phase{};      // of the search
  std::string rule{};       // that accepted the step
  std::vector<double> p{};  // estimated parameters, user units; without the weights of networks
};

struct Work {  // in units of one interval
  long trajectories = 0;
  long tangents = 0;  // directions
  long adjoints = 0;  // covectors
  long rhs = 0;       // evaluations of the right-hand side, forward sweeps only
  double seconds = 0;
};

}  // namespace salvo
