#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::solve {

// One unit of each unknown, the metric of steps along joined trajectories: a decade where its scale is logarithmic,
// else its size.
inline std::vector<double> units_of(const nlp::Problem& problem, const nlp::Point& q) {
  std::vector<double> units = problem.sizes(q);
  for (std::size_t i = 0; i < problem.layout().decade.size(); ++i)
    if (problem.layout().decade[i] > 0) units[i] = problem.layout().decade[i];
  return units;
}

}  // namespace salvo::solve
