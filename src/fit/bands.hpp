#pragma once

#include <vector>

#include "fit/result.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::fit {

// How far the errors of the estimates move each observable along the trajectories of the solution
// (docs/mathematics.md, eq. 27a): fills `deviation` of the arcs. They stay empty where there is no covariance, where a
// trajectory fails, and where it would cost more than a picture is worth.
void add_bands(const shooting::ShootingProblem& shooting, const nlp::Point& q, const Matrix& covariance,
               std::vector<Arc>& arcs);

}  // namespace salvo::fit
