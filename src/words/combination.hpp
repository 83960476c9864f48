#pragma once

#include <string>
#include <vector>

#include "results/profiles.hpp"

namespace salvo::words {

// What stays the same while a number moves along a stretch of its profile on which the fit is as good everywhere:
// "p2*x2 = 1.04", "V/K = 0.39", "a + b = 2". One for each quantity that moves along; empty if none does, or if one does
// in another way than by a product or a sum.
std::vector<std::string> combinations_along(const std::string& id, const std::vector<Profile::Point>& stretch,
                                            const std::vector<std::string>& ids);

}  // namespace salvo::words
