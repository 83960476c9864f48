#include "words/grid_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/field.hpp"

namespace salvo::words {

std::string worst_of_grid(const GridError& grid) {
  if (!grid.parameters.empty()) {
    const auto worst = std::max_element(grid.parameters.begin(), grid.parameters.end(),
                                        [](const auto& a, const auto& b) { return a.in_errors < b.in_errors; });
    return fmt::format("{} by {:.2g} standard errors", worst->id, worst->in_errors);
  }
  const auto worst = std::max_element(grid.observables.begin(), grid.observables.end(),
                                      [](const auto& a, const auto& b) { return a.in_sigma < b.in_sigma; });
  if (worst == grid.observables.end()) return {};
  return fmt::format("{} by {:.2g} standard deviations of its noise", worst->id, worst->in_sigma);
}

int enough_cells(const GridError& grid) {
  const double least = std::min(1.0, static_cast<double>(grid.expected_order));
  const double order = std::clamp(grid.order, least, static_cast<double>(grid.expected_order));
  const double factor = std::pow(std::max(1.0, grid.largest / GridError::worth_telling), 1 / order);
  return static_cast<int>(std::min(std::ceil(factor) * grid.cells, static_cast<double>(model::most_cells)));
}

std::string about_grid(const GridError& grid, const Spelling& spelling) {
  if (!grid.trouble.empty())
    return fmt::format(" What dividing space into {} cells does to the estimates could not be found out: {}.",
                       grid.cells, grid.trouble);
  if (!(grid.largest > GridError::worth_telling)) return {};
  const std::string more = fmt::format("{} {}", spelled(spelling, Hint::cells), enough_cells(grid));
  if (grid.largest <= GridError::too_large || grid.is_accepted)
    return fmt::format(" Dividing space into {} cells moves {}; with more of them ({}) it moves less.", grid.cells,
                       worst_of_grid(grid), more);
  return fmt::format(
      " Dividing space into {} cells moves {}: these are estimates of the grid and not of the equations. Use more "
      "cells "
      "({}), or say that this is accepted ({}).",
      grid.cells, worst_of_grid(grid), more, spelled(spelling, Hint::accept_grid));
}

}  // namespace salvo::words
