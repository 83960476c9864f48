#pragma once

#include "fit/attempts.hpp"

namespace salvo::fit {

// Where the noise is known, chi2 tells a fit that cannot be right. Weights of a network take fewer degrees of freedom
// than there are of them; how many, nobody knows, so none are counted.
bool is_credible(const Solved& solved);

}  // namespace salvo::fit
