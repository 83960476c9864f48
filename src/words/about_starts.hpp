#pragma once

#include <string>
#include <vector>

#include "results/starts.hpp"

namespace salvo::words {

// "18 of 20 starts converged, 7 of them to the best of 3 optima."
std::string about_starts(const std::vector<StartResult>& starts);

}  // namespace salvo::words
