#pragma once

#include <vector>

#include "estimate/estimate.hpp"
#include "results/fit_result.hpp"

namespace salvo::words {

// The answers that fit as well as the best, or nearly, each with a sentence on how it differs.
std::vector<Alternative> alternatives(const estimate::Estimation& estimation, const FitResult& result);

}  // namespace salvo::words
