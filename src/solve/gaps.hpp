#pragma once

#include "solve/rules.hpp"

namespace salvo::solve {

// Wider, relative to the sizes of states: the trajectories are not joined.
inline constexpr auto joined_gap = GapRules{}.joined;

}  // namespace salvo::solve
