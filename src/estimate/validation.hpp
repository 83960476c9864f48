#pragma once

#include "results/predictions.hpp"
#include "shooting/shooting_problem.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

// Are there so many quantities that a fit follows the noise unless something else stops it: a network, or more
// quantities than measurements?
bool can_overfit(const shooting::ShootingProblem& shooting);

// Do the validation data say when a fit by this method ends, and which of its points is the answer? Only one method
// looks at them.
bool is_judged(const shooting::ShootingProblem& shooting, model::Method method);

// How well the trajectories that begin at q predict the validation data: the negative log-likelihood of these.
solve::Judged judge_by_validation(const shooting::ShootingProblem& shooting, const nlp::Point& q);

// Root mean square of the residuals, in standard deviations of the noise.
double rms_residual(const std::vector<Prediction>& predictions);

}  // namespace salvo::estimate
