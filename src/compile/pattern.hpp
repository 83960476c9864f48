#pragma once

#include <vector>

namespace salvo::compile {

// The place of each non-zero of a Jacobian in a kernel's output, row by row.
struct Pattern {
  std::vector<int> row{};
  std::vector<int> column{};
  int size() const { return static_cast<int>(row.size()); }
};

// These are the non-zeros line by line (rows or columns of a matrix), for products that keep one sum in registers: line
// i holds the entries start[i] to start[i + 1]; each stands at `place` in the kernel's output and meets the number
// `across`.
struct Lines {
  std::vector<int> start{0};
  std::vector<int> place{};
  std::vector<int> across{};
  int size() const { return static_cast<int>(place.size()); }
};

// Non-zeros whose line is `line[k]`, in their order.
Lines make_lines(const std::vector<int>& line, const std::vector<int>& across, int count);

// [by_x by_p] by its columns; in the kernel's output, the entries of by_x stand before those of by_p.
Lines make_columns(const Pattern& by_x, const Pattern& by_p, int states, int active);

}  // namespace salvo::compile
