#pragma once

#include "estimate/ways/setup.hpp"
#include "fit/check.hpp"

namespace salvo::fit {

// What formulas see of the past, what is taken to have been before the start, and at which times the kinks are that
// follow from the start.
void list_delays(const estimate::Setup& setup, std::vector<Finding>& findings);

}  // namespace salvo::fit
