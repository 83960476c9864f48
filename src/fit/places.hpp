#pragma once

#include <span>
#include <vector>

#include "model/problem.hpp"

namespace salvo::fit {

// The same problem with more observables behind its own: at each of these places every field, then every observable
// that has another value at each place. They have no names, and nothing was measured of them.
model::Problem read_at(model::Problem problem, std::span<const double> places);

// The observables that have another value at each place, in their order.
std::vector<int> observables_of_places(const model::Problem& problem);

}  // namespace salvo::fit
