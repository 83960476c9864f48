#pragma once

#include "nlp/problem.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// The point from which a solver starts: theta at its guesses, node values from the data or from a simulation.
//   data      a state that is an observable by itself: its measurements, interpolated; other states: simulated from
//             node to node with the observed ones put right at every node
//   simulate  one trajectory from the initial guess
// A single interval starts from the guess of the initial value, several from the datum where there is one.
nlp::Point start_point(const ShootingProblem& problem, model::StartValues choice);

}  // namespace salvo::shooting
