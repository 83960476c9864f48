#pragma once

#include <vector>

#include "fit/check.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::fit {

// Which conditions switch and which events act along the trajectories from the guess, and when.
void list_happenings(const estimate::Setup& setup, std::vector<Finding>& findings);

}  // namespace salvo::fit
