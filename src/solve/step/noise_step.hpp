#pragma once

#include "nlp/problem.hpp"

namespace salvo::solve {

// Moves what shapes the noise alone to where it fits the residuals at q, whatever these are, until no logarithm of a
// noise changes by more than `settled`.
void adapt_noise(const nlp::Problem& problem, const nlp::Request& request, double settled, nlp::Point& q);

}  // namespace salvo::solve
