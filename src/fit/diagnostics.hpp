#pragma once

#include <vector>

#include "estimate/ways/setup.hpp"
#include "fit/check.hpp"

namespace salvo::fit {

// What can be seen at the start of what will give trouble, each with a remedy. The start must be one that can be
// evaluated; so many evaluations of the equations that took.
void diagnose(const estimate::Setup& setup, long evaluations, std::vector<Finding>& findings);
// What data and noise show, beside what the start says of every measurement.
std::vector<Finding> diagnose_noise(const estimate::Setup& setup,
                                    const std::vector<shooting::ShootingProblem::Predicted>& at_start);

}  // namespace salvo::fit
