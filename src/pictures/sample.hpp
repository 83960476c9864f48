#pragma once

#include <vector>

#include "pictures/picture_times.hpp"
#include "results/arcs.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::pictures {

// The trajectory of every interval, sampled; where one fails, as far as it goes; none once the run was told to stop.
// Where an event has changed the state, one arc ends with what was before it and another of the same interval begins
// with what is after it.
std::vector<Arc> sample_arcs(const shooting::ShootingProblem& shooting, const nlp::Point& q);
// Those of one interval, in so many pieces, or more where measurements crowd. Where the integrator takes many steps
// within a piece, the curve bends there: it is looked at more closely, at up to `most_points` in all, of which those
// are kept that a straight line would miss.
std::vector<Arc> sample_interval(const shooting::ShootingProblem& shooting, const nlp::Point& q, int chain,
                                 int interval, int pieces, const PictureTimes& times, int most_points = 0);

}  // namespace salvo::pictures
