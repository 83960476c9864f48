#pragma once

#include <string>

#include "results/fit_result.hpp"

namespace salvo::report {

// The optima that several starts found, the best first, and how many starts ended otherwise. Empty for one start.
std::string optima_table(const FitResult& result, bool colour, std::size_t width);

}  // namespace salvo::report
