#pragma once

#include <vector>

#include "estimate/answer/answer.hpp"
#include "pictures/picture_times.hpp"
#include "results/arcs.hpp"
#include "solve/state/film.hpp"

namespace salvo::pictures {

// The trajectories at the points that a solver has kept. They are integrated now, after the run, so that the run does
// not pay for its pictures; fewer of them where the flow is costly or there is much to draw.
//   `any`: the problem on any nodes
std::vector<Frame> develop(const shooting::ShootingProblem& any, const estimate::Answer& answer, int threads);

// The trajectories of one point, of the states only what is observed, at about so many times of every experiment.
std::vector<Arc> drawn_curves(const shooting::ShootingProblem& shooting, const nlp::Point& q, const PictureTimes& times,
                              int points_of_a_curve, int threads);

}  // namespace salvo::pictures
