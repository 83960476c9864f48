#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace salvo {

// The trajectory of one interval, sampled for drawing and export.
struct Arc {
  int experiment = 0;
  int interval = 0;
  std::vector<double> time{};
  Matrix states{};       // state x time
  Matrix observables{};  // observable x time
  // Observable x time, 95 %; NaN where there is no end to them, empty where they are not known.
  struct Band {
    Matrix deviation{};  // standard deviation that the estimates leave to the curve
    Matrix lower{}, upper{};
    Matrix lower_new{}, upper_new{};  // for an observation not yet made
  };
  Band band{};
};

// The trajectories of all intervals on the way to the solution; of the states only what is observed.
struct Frame {
  int iteration = 0;
  std::vector<Arc> arcs{};
};

}  // namespace salvo
