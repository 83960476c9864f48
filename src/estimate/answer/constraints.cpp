#include "estimate/answer/constraints.hpp"

#include <cmath>

namespace salvo::estimate {

ConstraintResult::Place place_of(const shooting::ShootingProblem& shooting, const shooting::PlannedConstraint& row) {
  const shooting::Grid& grid = shooting.grids()[row.chain];
  ConstraintResult::Place place{.experiment = shooting.problem().experiments[grid.experiment].id};
  if (row.node >= 0) place.time = grid.tau[row.node];
  return place;
}

bool has_places(const shooting::ShootingProblem& shooting, int constraint) {
  const compile::ConstraintKernel& kernel = shooting.model().constraints[constraint];
  return kernel.at_nodes || kernel.in_each_experiment;
}

std::vector<ConstraintResult> constraint_results(const shooting::ShootingProblem& shooting,
                                                 const std::vector<int>& active_rows,
                                                 const std::vector<double>& multipliers) {
  std::vector<ConstraintResult> out;
  for (const model::Constraint& constraint : shooting.problem().constraints)
    out.push_back({.text = constraint.text, .is_equality = constraint.is_equality});
  for (const int row : active_rows) {
    const shooting::PlannedConstraint& planned = shooting.constraint_rows()[row];
    ConstraintResult& result = out[planned.constraint];
    result.active = true;
    if (has_places(shooting, planned.constraint)) result.places.push_back(place_of(shooting, planned));
    if (row < static_cast<int>(multipliers.size()) && std::abs(multipliers[row]) > std::abs(result.multiplier))
      result.multiplier = multipliers[row];
  }
  return out;
}

}  // namespace salvo::estimate
