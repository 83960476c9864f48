#include "fit/grid_limit.hpp"

#include <algorithm>
#include <cmath>

namespace salvo::fit {
namespace {

// Slower than this nothing is said to converge.
constexpr double least_order = 0.5;
// A measured order this near to that of the scheme is the same.
constexpr double near_order = 0.5;

// How many times more the first two grids differ by than the last two, of a number with this order.
double ratio_of(const Grids& grids, double order) {
  const auto error = [&](int i) { return std::pow(grids.cells[i], -order); };
  return (error(0) - error(1)) / (error(1) - error(2));
}

double refinement(const Grids& grids) { return static_cast<double>(grids.cells[2]) / grids.cells[1]; }

}  // namespace

Grids grids_for(int cells, int fewest_to_halve) {
  if (cells < fewest_to_halve) return {.cells = {cells, 2 * cells, 4 * cells}, .told = 0};
  return {.cells = {cells / 4, cells / 2, cells}, .told = 2};
}

double measured_order(const Grids& grids, double coarse, double fine, double expected) {
  return expected +
         std::log(std::abs(coarse) / std::abs(fine) / ratio_of(grids, expected)) / std::log(refinement(grids));
}

GridLimit grid_limit(const Grids& grids, const std::array<double, 3>& number, double order) {
  const double coarse = number[0] - number[1];
  const double fine = number[1] - number[2];
  if (coarse == 0 && fine == 0) return {.error = 0, .has_order = true};
  const double measured = measured_order(grids, coarse, fine, order);
  const bool is_one_way = coarse * fine > 0;
  // What comes and goes has no order; of two grids the difference itself is taken.
  const double taken = std::isnan(coarse) ? std::min(1.0, order) : std::clamp(measured, least_order, order);
  double error = fine / (std::pow(refinement(grids), taken) - 1);
  if (coarse * fine < 0) {
    const double by_order = std::pow(refinement(grids), order);
    const double by_coarse = std::abs(coarse) / (by_order * (by_order - 1));
    error = std::copysign(std::max({std::abs(error), std::abs(fine), by_coarse}), fine);
  }
  if (grids.told == 0) error += coarse + fine;
  return {.error = error, .has_order = is_one_way && std::abs(measured - order) <= near_order};
}

}  // namespace salvo::fit
