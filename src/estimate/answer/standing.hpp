#pragma once

#include "results/status.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

// What a solver's ending means for a fit.
Status to_status(solve::Termination termination);

}  // namespace salvo::estimate
