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

// `same`: relative difference, of objectives and of what is measured, that is rounding.
OneTrajectory on_one_trajectory(const shooting::ShootingProblem& shooting, const solve::SolveResult& answer,
                                double same);

}  // namespace salvo::estimate
