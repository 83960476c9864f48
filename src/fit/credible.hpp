#pragma once

#include "fit/attempts.hpp"

namespace salvo::fit {

// Where the noise is known, chi2 tells a fit that cannot be right. Weights of a network take fewer degrees of freedom
// than there are of them; how many, nobody knows, so none are counted.
bool is_credible(const Solved& solved);

// Where the noise is estimated it explains any residuals. Of a problem whose discontinuities move, an answer then
// leaves doubt in which events may have been lost: at a bound, along a direction that no datum sees, or with residuals
// that follow each other in time.
bool leaves_doubt(const Solved& solved);

}  // namespace salvo::fit
