#pragma once

#include "fit/result.hpp"
#include "solve/result.hpp"

namespace salvo::fit {

// What a solver's ending means for a fit.
Status to_status(solve::Termination termination);

}  // namespace salvo::fit
