#pragma once

#include <string>

#include "nlp/problem.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// The point from which a solver starts: theta at its guesses, node values from the data or from a simulation.
//   data      a state that is an observable by itself: its measurements, interpolated; other states: simulated from
//             node to node with the observed ones put right at every node
//   simulate  one trajectory from the initial guess
//   auto      like data, but hidden states may also stay at their initial values; and where a trajectory of the start
//             fails, the parameters are halved until none does. Among the starts that can be evaluated, the one with
//             the fewest halvings wins, then the one with the smallest sum of squared relative gaps.
// A single interval starts from the guess of the initial value, several from the datum where there is one.
struct Start {
  nlp::Point q{};
  std::string remark{};  // what was changed to make it work, if anything was
};
Start start_point(const ShootingProblem& problem, model::StartValues choice);

}  // namespace salvo::shooting
