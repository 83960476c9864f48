#pragma once

#include "model/problem.hpp"

namespace salvo::fit {

// Initial values that begin where the data say get a guess: that where a fit would begin. Other formats need one.
void guess_initial_values(model::Problem& problem);

}  // namespace salvo::fit
