#pragma once

namespace salvo::model {

// What one datum adds to -llh as a function rho(u) of one number, without constants: its value and slope, the curvature
// of the square that makes a step, and the information.
struct Loss {
  double value = 0;
  double slope = 0;
  double curvature = 1;
  double information = 1;
};

}  // namespace salvo::model
