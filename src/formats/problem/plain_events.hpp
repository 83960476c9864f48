#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::formats {

// Writes the events of a problem as such that a problem file can state: in the order of their priorities, and one that
// acts at the start if its condition holds there with an event at that time. What is lost is added to `lost` in words.
void make_events_plain(model::Problem& problem, std::vector<std::string>& lost);

}  // namespace salvo::formats
