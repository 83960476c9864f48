#pragma once

#include <string>

#include "estimate/estimate.hpp"
#include "results/fit_result.hpp"

namespace salvo::words {

// One plain sentence (or a few): what happened, and if it failed, where and what to try.
std::string message(const estimate::Estimation& estimation, const FitResult& result);

}  // namespace salvo::words
