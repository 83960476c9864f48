#pragma once

#include <vector>

#include "results/estimates.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::estimate {

// Each constraint of the problem, with the rows of it that are active.
std::vector<ConstraintResult> constraint_results(const shooting::ShootingProblem& shooting,
                                                 const std::vector<int>& active_rows,
                                                 const std::vector<double>& multipliers);

// Where a row of a constraint holds, and whether there are several such places.
ConstraintResult::Place place_of(const shooting::ShootingProblem& shooting, const shooting::PlannedConstraint& row);
bool has_places(const shooting::ShootingProblem& shooting, int constraint);

}  // namespace salvo::estimate
