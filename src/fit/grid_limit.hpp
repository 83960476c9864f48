#pragma once

#include <array>

namespace salvo::fit {

// Three numbers of cells in one coordinate, from few to many, and the one of them that an answer is told of.
struct Grids {
  std::array<int, 3> cells{};
  int told = 2;
};
// Halves where there are cells enough, and twice as many where halves of them would say nothing.
Grids grids_for(int cells, int fewest_to_halve = 32);

// What a number of one grid differs by from that of the equations, seen from the numbers of three grids.
struct GridLimit {
  double error = 0;        // number of the grid that is told - number of the equations
  bool has_order = false;  // as the scheme has it
};
// The order that a number is taken to have is the measured one, within these bounds: `least`, and that of the scheme.
// NaN stands for a grid that has no solution; the second and the one that is told must have one.
GridLimit grid_limit(const Grids& grids, const std::array<double, 3>& number, double order);
// As `coarse`, the difference between the first two grids, and `fine`, that of the last two, show it.
double measured_order(const Grids& grids, double coarse, double fine, double expected);

}  // namespace salvo::fit
