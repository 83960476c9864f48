#include "pictures/forecast.hpp"

namespace salvo::pictures {

std::vector<shooting::Grid> with_forecast(const model::Problem& problem, std::vector<shooting::Grid> grids) {
  for (shooting::Grid& grid : grids) {
    const std::vector<double>& wanted = problem.experiments[grid.experiment].predicted_at;
    if (!wanted.empty() && wanted.back() > grid.tau.back()) grid.tau.push_back(wanted.back());
  }
  return grids;
}

}  // namespace salvo::pictures
