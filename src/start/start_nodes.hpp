#pragma once

#include <vector>

#include "shooting/shooting_problem.hpp"
#include "start/observed_states.hpp"
#include "start/rules.hpp"

namespace salvo::start {

// theta and the v_0 of every chain, on their scales: all nodes follow from them and from the data.
struct SharedUnknowns {
  std::vector<double> theta{};
  std::vector<std::vector<double>> v0{};  // per chain
};

// Where observed states take their node values from, and hidden ones theirs.
enum class ObservedNodes { simulated, interpolated, smoothed };
enum class HiddenNodes {
  simulated,  // from node to node, the observed states put right at each
  driven,     // by the smoothed curves of the observed states
  constant,   // at their initial values
};

// What the data say about the states of each chain's experiment, with parameters at their guesses.
std::vector<ObservedStates> observed_at_guess(const shooting::ShootingProblem& shooting, const Rules& rules = {});

// The guesses, parameters multiplied by `factor`, within their bounds. An observed initial value comes from the data
// (unless all is simulated or its chain is one interval and has a guess), others from their guess, or 1.
SharedUnknowns guessed(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
                       ObservedNodes nodes, double factor);

// The whole point. Where a trajectory or a driven state fails, its nodes stay where they were.
nlp::Point lay_nodes(const shooting::ShootingProblem& shooting, const std::vector<ObservedStates>& observed,
                     const SharedUnknowns& unknowns, ObservedNodes nodes, HiddenNodes hidden,
                     const MatchingRules& rules = {});

}  // namespace salvo::start
