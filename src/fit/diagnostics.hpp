#pragma once

#include <vector>

#include "fit/check.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::fit {

// What can be seen at the start of what will give trouble, each with a remedy. The start must be one that can be
// evaluated; so many evaluations of the equations that took.
void foresee(const estimate::Setup& setup, long evaluations, std::vector<Finding>& findings);
// The same of data and noise. Where the start is the point that was evaluated last, no trajectory is needed.
std::vector<Finding> foresee_noise(const estimate::Setup& setup);

}  // namespace salvo::fit
