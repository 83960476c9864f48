#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "start/rules.hpp"

namespace salvo::start {

// One row of a Jacobian, gathered entry by entry.
class SparseRow {
 public:
  explicit SparseRow(int unknowns) : slope_(unknowns, 0.0), is_there_(unknowns, 0) {}

  void add(int column, double slope) {
    if (slope == 0) return;
    if (!is_there_[column]) columns_.push_back(column);
    is_there_[column] = 1;
    slope_[column] += slope;
  }
  void clear();
  std::span<const int> columns() const { return columns_; }  // in no order
  double operator[](int column) const { return slope_[column]; }

 private:
  std::vector<double> slope_;
  std::vector<char> is_there_;
  std::vector<int> columns_;
};

// A sum of squares and its normal equations, row by row. A row costs the square of its entries that are not zero.
struct NormalEquations {
  double half_squares = 0;
  std::vector<double> gradient{};
  Matrix normal{};  // J'J, lower triangle
  int rows = 0;

  void clear(int unknowns, bool derivatives);
  void add(double r);
  void add(double r, const SparseRow& row);
  // Becomes what it is at z, for rows that are linear, from what it is at z_0.
  void move(const NormalEquations& at_z_0, std::span<const double> z_0, std::span<const double> z);
  // Exchanges one unknown for another: dz_k = slope dy_k.
  void change_unknown(int k, double slope);
};

// Fills in the rows at z; false where they do not exist.
using RowsAt = std::function<bool(const std::vector<double>& z, bool derivatives, NormalEquations& out)>;

struct ReducedFit {
  bool ok = false;  // the rows existed at the beginning
  std::vector<double> z{};
  NormalEquations at_z{};
  int iterations = 0;
};

// A dense problem min 1/2 |r(z)|^2 within bounds, by Levenberg and Marquardt's method, damped by the lengths of
// the columns. An unknown that no row sees stays where it is; one that the rows see a thousand times less than others
// moves slowly. Good to a few digits: it makes start values.
ReducedFit levenberg_marquardt(const RowsAt& rows, std::vector<double> z, std::span<const double> lower,
                               std::span<const double> upper, const LeastSquaresRules& rules = {});

}  // namespace salvo::start
