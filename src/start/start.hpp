#pragma once

#include <string>

#include "nlp/problem.hpp"
#include "shooting/shooting_problem.hpp"
#include "start/rules.hpp"

namespace salvo::start {

// How far `auto` may go beyond the guesses of the parameters.
enum class Improvement {
  none,    // they were stated explicitly, and are obeyed to the letter
  repair,  // where a trajectory of the start fails, they are halved until none does; data are not smoothed
  match,   // and they may be found by integral matching
};

// The point from which a solver starts.
//   data      theta at its guesses. A state that the data reveal: their interpolation; other states: simulated from
//             node to node with the observed ones put right at every node
//   simulate  theta at its guesses, one trajectory from the initial guess
//   auto      the best of several: parameters guessed or matched, observed states from smoothed data, hidden ones
//             simulated, driven by the observed ones, or constant
// The best is the one with the least penalty objective (docs/mathematics.md, eq. 31), among those that can be evaluated
// with the fewest halvings. A single interval starts from the guess of the initial value, several from the datum.
struct Start {
  nlp::Point q{};
  nlp::Blocks linearized{};  // at q, with derivatives, if they are known
  std::string choice{};      // what was chosen, in a few words; empty for a start that was asked for
  std::string remark{};      // what was changed to make it work, if anything was
};
// If derivatives are wanted there, a start that is likely to win is evaluated with them at once.
Start start_point(const shooting::ShootingProblem& problem, model::StartValues choice,
                  Improvement improvement = Improvement::match, nlp::Request request = {},
                  bool derivatives_wanted = false, const Rules& rules = {});

}  // namespace salvo::start
