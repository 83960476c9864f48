#pragma once

#include "nlp/problem.hpp"

namespace salvo::solve {

// Moves what shapes the noise alone to where it fits the residuals at q, whatever these are.
void adapt_noise(const nlp::Problem& problem, const nlp::Request& request, nlp::Point& q);

}  // namespace salvo::solve
