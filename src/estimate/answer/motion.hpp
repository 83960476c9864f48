#pragma once

#include "shooting/shooting_problem.hpp"

namespace salvo::estimate {

// Points of one trajectory that is looked at; more would take time and memory, and long data show by themselves what
// happens between them.
inline constexpr int most_points = 20'000;

// How much the observables of a point move between the measurements: the sum of their total variations over the
// measured times of each experiment, each in units of its noise. Of two points that say the same at every measurement,
// one that oscillates in between has more of it. Infinite where a trajectory fails.
//   `between`: points at which a trajectory is looked at between two measured times
double motion_of(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
                 int between);

}  // namespace salvo::estimate
