#pragma once

#include <vector>

#include "estimate/ways/setup.hpp"
#include "fit/check.hpp"

namespace salvo::fit {

// Which conditions switch and which events act along the trajectories from the guess, and when.
void list_happenings(const estimate::Setup& setup, std::vector<Finding>& findings);

}  // namespace salvo::fit
