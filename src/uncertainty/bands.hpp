#pragma once

#include <vector>

#include "results/fit_result.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::uncertainty {

// How far the errors of the estimates move each observable along the trajectories of the solution
// (docs/mathematics.md, eq. 27a), and where new observations would lie: fills `band` of the solution's arcs. It stays
// empty where there is no covariance, where a trajectory fails, and where it would cost more than a picture is worth;
// it is NaN where a direction that the data cannot see moves the observable.
void add_bands(const shooting::ShootingProblem& shooting, const nlp::Point& q, FitResult& result);

}  // namespace salvo::uncertainty
