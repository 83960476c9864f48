#pragma once

#include "model/problem.hpp"

namespace salvo::fit {

// Initial values without a guess get the one at which `evaluate` stands. Other formats need one.
void guess_initial_values(model::Problem& problem);

}  // namespace salvo::fit
