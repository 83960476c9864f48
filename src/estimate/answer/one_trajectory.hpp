#pragma once

#include <memory>

#include "shooting/shooting_problem.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

// An answer as one trajectory per experiment.
struct OneTrajectory {
  std::unique_ptr<shooting::ShootingProblem> shooting{};
  nlp::Point q{};
  bool has_same_objective = false;
  bool is_same = false;  // false: the trajectories are others than those of the nodes
};

OneTrajectory on_one_trajectory(const model::Problem& problem, const shooting::ShootingProblem& shooting,
                                const solve::SolveResult& answer);

}  // namespace salvo::estimate
