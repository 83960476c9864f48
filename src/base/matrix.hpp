#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace salvo {

// A dense matrix as plain data, column by column. Algebra happens in .cpp files through Eigen::Map, so that
// headers stay light.
struct Matrix {
  int rows = 0;
  int cols = 0;
  std::vector<double> data{};

  Matrix() = default;
  Matrix(int row_count, int col_count) { resize(row_count, col_count); }

  // Sets the shape and every entry to zero; keeps the memory it has.
  void resize(int row_count, int col_count) {
    rows = row_count;
    cols = col_count;
    data.assign(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(col_count), 0.0);
  }
  double& operator()(int row, int col) { return data[static_cast<std::size_t>(col) * rows + row]; }
  double operator()(int row, int col) const { return data[static_cast<std::size_t>(col) * rows + row]; }
};

}  // namespace salvo
