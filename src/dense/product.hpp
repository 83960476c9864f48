#pragma once

#include <cstddef>
#include <span>

#include "base/contract.hpp"
#include "base/matrix.hpp"

namespace salvo::dense {

// A matrix that lies somewhere in memory, column by column; `step` numbers lie between the beginnings of two columns.
struct ConstBlock {
  const double* data;
  int rows, cols, step;

  const double* column(int j) const { return data + static_cast<std::size_t>(j) * step; }
  ConstBlock part(int row, int col, int row_count, int col_count) const {
    return {column(col) + row, row_count, col_count, step};
  }
};
struct Block {
  double* data;
  int rows, cols, step;

  operator ConstBlock() const { return {data, rows, cols, step}; }
  double* column(int j) const { return data + static_cast<std::size_t>(j) * step; }
  Block part(int row, int col, int row_count, int col_count) const {
    return {column(col) + row, row_count, col_count, step};
  }
};

inline Block block_of(Matrix& m) { return {m.data.data(), m.rows, m.cols, m.rows}; }
inline ConstBlock block_of(const Matrix& m) { return {m.data.data(), m.rows, m.cols, m.rows}; }

// This sums the squares of all entries.
double squares(const ConstBlock& A);

// C += factor A B
void add_product(double factor, const ConstBlock& A, const ConstBlock& B, const Block& C);
// C += factor A' B
void add_transposed_product(double factor, const ConstBlock& A, const ConstBlock& B, const Block& C);
// y += A x, where A is large; its entries stand side by side in wide registers.
void add_large_product(const ConstBlock& A, const double* x, double* y);

// y += A x
inline void add_product(const ConstBlock& A, std::span<const double> x, std::span<double> y) {
  SALVO_EXPECTS(A.cols == static_cast<int>(x.size()) && A.rows == static_cast<int>(y.size()));
  constexpr int few = 4;
  if (A.rows > few) return add_large_product(A, x.data(), y.data());
  const double* a = A.data;
  for (int k = 0; k < A.cols; ++k, a += A.step) {
    const double factor = x[k];
    for (int i = 0; i < A.rows; ++i) y[i] += a[i] * factor;
  }
}
// y += A' x
inline void add_transposed_product(const ConstBlock& A, std::span<const double> x, std::span<double> y) {
  SALVO_EXPECTS(A.rows == static_cast<int>(x.size()) && A.cols == static_cast<int>(y.size()));
  const double* a = A.data;
  for (int k = 0; k < A.cols; ++k, a += A.step) {
    double sum = 0;
    for (int i = 0; i < A.rows; ++i) sum += a[i] * x[i];
    y[k] += sum;
  }
}

}  // namespace salvo::dense
