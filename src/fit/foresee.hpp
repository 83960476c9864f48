#pragma once

#include <vector>

#include "fit/fit.hpp"
#include "fit/setup.hpp"

namespace salvo::fit {

// What can be seen at the start of what will give trouble, each with a remedy. The start must be one that can be
// evaluated.
void foresee(const Setup& setup, std::vector<Finding>& findings);

}  // namespace salvo::fit
