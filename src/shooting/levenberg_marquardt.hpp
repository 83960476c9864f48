#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/matrix.hpp"

namespace salvo::shooting {

// A sum of squares and its normal equations, row by row. A row costs the square of its entries that are not zero.
struct NormalEquations {
  double half_squares = 0;
  std::vector<double> gradient{};
  Matrix normal{};  // J'J, lower triangle
  int rows = 0;

  void clear(int unknowns, bool derivatives);
  void add(double r, std::span<const double> slopes);
};

// Fills in the rows at z; false where they do not exist.
using RowsAt = std::function<bool(const std::vector<double>& z, bool derivatives, NormalEquations& out)>;

struct SmallFit {
  bool ok = false;  // the rows existed at the beginning
  std::vector<double> z{};
  NormalEquations at_z{};
  int iterations = 0;
};

// A small dense problem min 1/2 |r(z)|^2 within bounds, by Levenberg and Marquardt's method, damped by the lengths of
// the columns. An unknown that no row sees stays where it is; one that the rows see a thousand times less than others
// moves slowly. Good to a few digits: it makes start values.
SmallFit levenberg_marquardt(const RowsAt& rows, std::vector<double> z, std::span<const double> lower,
                             std::span<const double> upper, int max_iterations);

}  // namespace salvo::shooting
