#pragma once

#include <span>

#include "compile/pattern.hpp"

namespace salvo::integrate {

// The eigenvalue of J that is largest in size, by a few iterations of the power method; zero unless it belongs to a
// mode that decays without turning. The numbers of one lane stand `stride` apart, those of J row by row; `room` holds
// two states.
double fastest_decay(const compile::Lines& rows, const double* nonzeros, int stride, std::span<double> room);

// Explicit steps are no longer than about 3.3 / rate where a mode decays at that rate ([HW96] IV.2). That is stiffness
// if it asks for thousands of them, and if the mode is much faster than anything that is seen to move: `visible` is the
// largest rate of change of a state, by its size. Published models that explicit steps serve well would be asked for
// 150 at most; the others, with few exceptions, for 2000 up to 10^8.
inline bool foretells_stiffness(double rate, double time_left, double visible) {
  constexpr double many_steps = 2000;
  constexpr double many_steps_times_faster = 1e4;
  const double steps = rate * time_left / 3.3;
  return steps > many_steps && steps * rate > many_steps_times_faster * visible;
}

}  // namespace salvo::integrate
