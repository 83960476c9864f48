#pragma once

#include <vector>

#include "model/problem.hpp"

namespace salvo::shooting {

// The measurements (indices) of every experiment by time; at one time in the order of the data.
std::vector<std::vector<int>> measurements_by_time(const model::Problem& problem);

// The times of every experiment at which something is measured, each once.
std::vector<std::vector<double>> measured_times(const model::Problem& problem);

}  // namespace salvo::shooting
