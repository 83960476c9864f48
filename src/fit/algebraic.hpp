#pragma once

#include "estimate/ways/setup.hpp"
#include "fit/check.hpp"

namespace salvo::fit {

// What was found about algebraic equations: what they determine, how they are solved, and how well that can be done.
void list_algebraic(const estimate::Setup& setup, std::vector<Finding>& findings);

}  // namespace salvo::fit
