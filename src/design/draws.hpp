#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::design {

// Points drawn from the priors of a problem, truncated at its bounds, by the names of its estimates. What has no prior
// is not among them; empty if nothing has one.
std::vector<std::map<std::string, double>> draws_from_priors(const model::Problem& problem, std::uint64_t seed);

}  // namespace salvo::design
