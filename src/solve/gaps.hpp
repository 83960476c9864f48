#pragma once

namespace salvo::solve {

// What gaps say, relative to the sizes of states.
inline constexpr double joined_gap = 1e-6;         // wider: the trajectories are not joined
inline constexpr double comparable_gap = 1e-4;     // objectives can be compared, and noise be estimated
inline constexpr double nearly_joined_gap = 1e-2;  // moderate steps hardly change the flow any more

}  // namespace salvo::solve
