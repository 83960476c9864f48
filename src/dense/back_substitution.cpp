#include "dense/back_substitution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/contract.hpp"
#include "base/wide_registers.hpp"

namespace salvo::dense {
namespace {

void substitute(const ConstBlock& R, int n, double* x) {
  for (int j = n - 1; j >= 0; --j) {
    const double* column = R.column(j);
    x[j] /= column[j];
    for (int i = 0; i < j; ++i) x[i] -= x[j] * column[i];
  }
}

double squares(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

}  // namespace

void solve_upper(const ConstBlock& R, std::span<double> x) {
  SALVO_EXPECTS(R.rows == R.cols && R.cols == static_cast<int>(x.size()));
  with_wide_registers([&] { substitute(R, R.cols, x.data()); });
}

void solve_upper_transposed(const ConstBlock& R, std::span<double> x) {
  SALVO_EXPECTS(R.rows == R.cols && R.cols == static_cast<int>(x.size()));
  for (int j = 0; j < R.cols; ++j) {
    const double* column = R.column(j);
    for (int i = 0; i < j; ++i) x[j] -= column[i] * x[i];
    x[j] /= column[j];
  }
}

double condition_bound(const ConstBlock& R, std::span<double> room) {
  SALVO_EXPECTS(R.rows == R.cols && R.cols == static_cast<int>(room.size()));
  double of_R = 0;
  double of_inverse = 0;
  with_wide_registers([&] {
    for (int j = 0; j < R.cols; ++j) {
      of_R += squares(j + 1, R.column(j));
      std::fill_n(room.data(), j, 0.0);
      room[j] = 1;
      substitute(R, j + 1, room.data());  // column j of the inverse
      of_inverse += squares(j + 1, room.data());
    }
  });
  const double bound = std::sqrt(of_R) * std::sqrt(of_inverse);
  return std::isfinite(bound) ? bound : std::numeric_limits<double>::infinity();
}

}  // namespace salvo::dense
