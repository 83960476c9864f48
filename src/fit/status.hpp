#pragma once

#include "fit/result.hpp"
#include "solve/result.hpp"

namespace salvo::fit {

// What a solver's ending means for a fit.
Status to_status(const solve::SolveResult& result);

}  // namespace salvo::fit
