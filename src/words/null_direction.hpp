#pragma once

#include <vector>

#include "estimate/quantities.hpp"
#include "results/estimates.hpp"

namespace salvo::words {

// A direction among the estimated quantities, in their names: coefficients in relative terms (per cent of each), the
// largest one 1.
NullDirection named(const std::vector<estimate::Quantity>& quantities, const std::vector<double>& direction,
                    const nlp::Point& q);

}  // namespace salvo::words
