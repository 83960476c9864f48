#pragma once

#include <vector>

#include "fit/fit.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

// Which conditions switch and which events act along the trajectories from the guess, and when.
void list_happenings(const Setup& setup, std::vector<Finding>& findings);

}  // namespace salvo::fit
