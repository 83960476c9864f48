#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/problem.hpp"

namespace salvo::fit {

using Place = std::array<double, 2>;  // the second number is for rectangles

// The same problem with more observables behind its own: at each of these places every field, then every observable
// that has another value at each place. They have no names, and nothing was measured of them.
model::Problem read_at(model::Problem problem, std::span<const Place> places);

// The observables that have another value at each place, in their order.
std::vector<int> observables_of_places(const model::Problem& problem);

}  // namespace salvo::fit
