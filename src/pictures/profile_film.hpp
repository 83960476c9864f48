#pragma once

#include <vector>

#include "nlp/problem.hpp"
#include "results/profiles.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::pictures {

// The trajectories along profiles, `points[k][i]` being point i of profile k: of all points, or of some where a page
// that holds all of them would be too large to open. Both ends and the best point are among them.
void add_trajectories(const shooting::ShootingProblem& shooting,
                      const std::vector<std::vector<const nlp::Point*>>& points, int threads, Profiles& profiles);

}  // namespace salvo::pictures
