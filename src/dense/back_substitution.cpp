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

// |A| <= |A|_F and |A|² <= |A|_1 |A|_inf: the one is the better for small matrices, the other for large ones whose
// entries decay. A comes column by column.
class NormBound {
 public:
  explicit NormBound(std::span<double> rows) : rows_(rows) { std::fill(rows.begin(), rows.end(), 0.0); }

  void add(int n, const double* column) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const double entry = std::abs(column[i]);
      squares_ += entry * entry;
      sum += entry;
      rows_[i] += entry;
    }
    largest_column_ = std::max(largest_column_, sum);
  }
  double value() const {
    const double largest_row = rows_.empty() ? 0 : *std::max_element(rows_.begin(), rows_.end());
    return std::sqrt(std::min(squares_, largest_column_ * largest_row));
  }

 private:
  std::span<double> rows_;  // sums so far
  double squares_ = 0;
  double largest_column_ = 0;
};

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
  SALVO_EXPECTS(R.rows == R.cols && 3 * R.cols == static_cast<int>(room.size()));
  const auto n = static_cast<std::size_t>(R.cols);
  const std::span<double> inverse = room.first(n);  // one column of it
  NormBound of_R(room.subspan(n, n));
  NormBound of_inverse(room.last(n));
  with_wide_registers([&] {
    for (int j = 0; j < R.cols; ++j) {
      of_R.add(j + 1, R.column(j));
      std::fill_n(inverse.data(), j, 0.0);
      inverse[j] = 1;
      substitute(R, j + 1, inverse.data());
      of_inverse.add(j + 1, inverse.data());
    }
  });
  const double bound = of_R.value() * of_inverse.value();
  return std::isfinite(bound) ? bound : std::numeric_limits<double>::infinity();
}

}  // namespace salvo::dense
