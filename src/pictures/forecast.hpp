#pragma once

#include <vector>

#include "shooting/grid.hpp"

namespace salvo::pictures {

// The grids, with one more interval where curves are wanted beyond the last measurement (Experiment::predicted_at).
std::vector<shooting::Grid> with_forecast(const model::Problem& problem, std::vector<shooting::Grid> grids);

}  // namespace salvo::pictures
