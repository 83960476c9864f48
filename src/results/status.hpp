#pragma once

#include <string_view>

namespace salvo {

enum class Status { converged, max_iterations, max_time, infeasible, stalled, interrupted, numerical_failure };
std::string_view to_string(Status status);  // "converged", "max_iterations", ...

enum class AtBound { none, lower, upper };
std::string_view to_string(AtBound at_bound);  // "", "lower", "upper"

}  // namespace salvo
