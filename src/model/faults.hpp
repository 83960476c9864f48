#pragma once

#include "model/problem.hpp"

namespace salvo::model {

inline constexpr int most_intervals = 1'000'000;  // that one may ask for, in each experiment

// What is missing or out of range in a problem that was filled by hand, so that nothing can be computed from it. One
// that a reader of files has returned has no faults.
Issues faults(const Problem& problem);

}  // namespace salvo::model
