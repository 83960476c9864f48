#pragma once

#include <vector>

#include "fit/result.hpp"
#include "fit/setup.hpp"
#include "solve/film.hpp"

namespace salvo::fit {

// The trajectories at the points that a solver has kept. They are integrated now, after the run, so that the run does
// not pay for its pictures; fewer of them where the flow is costly or there is much to draw.
std::vector<Frame> develop(const Setup& setup, const solve::Film& film, int threads);

}  // namespace salvo::fit
