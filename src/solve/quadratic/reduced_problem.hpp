#pragma once

#include <vector>

#include "solve/quadratic/constrained_least_squares.hpp"
#include "solve/state/conflict.hpp"

namespace salvo::solve {

// What an elimination leaves, in coordinates x:   min |F x + f|   s.t. constraints, and bounds on θ = theta x +
// theta_at_zero.
struct ReducedProblem {
  const Matrix& F;
  const std::vector<double>& f;
  const RankTest& rule;
  LinearConstraints constraints{};
  Matrix theta{};
  std::vector<double> theta_at_zero{};
};

struct ReducedStep {
  std::vector<double> x{};
  std::vector<bool> held{};           // thetas at their bound
  std::vector<int> active{};          // rows of the constraints that hold with equality
  std::vector<double> multipliers{};  // of the constraints
  Conflict conflict{};
};

ReducedStep solve_reduced(const ReducedProblem& problem, const std::vector<double>& lower,
                          const std::vector<double>& upper);

// Its solution with a given set of equalities: these thetas do not move, these rows of the constraints hold.
std::vector<double> correct_reduced(const ReducedProblem& problem, const std::vector<bool>& held,
                                    const std::vector<int>& active);

}  // namespace salvo::solve
