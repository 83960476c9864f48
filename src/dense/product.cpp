#include "dense/product.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/wide_registers.hpp"

// A product is cut so that its parts stay near the processor ([GotoGeijn08]): a block of A in the second cache, a
// sliver of B in the first, and a tile of C, 8 rows by 4 columns, in registers. Blocks are copied in the order in which
// tiles read them; edges are filled up with zeros.
namespace salvo::dense {
namespace {

constexpr int tile_rows = 8;
constexpr int tile_cols = 4;
constexpr int most_depth = 256;
constexpr int most_rows = 96;        // of a block of A
constexpr int most_cols = 1024;      // of a block of B
constexpr int room_on_stack = 1024;  // numbers

using Two = double __attribute__((vector_size(16)));
using TwoAnywhere = double __attribute__((vector_size(16), aligned(8), may_alias));
using Four = double __attribute__((vector_size(32)));
using FourAnywhere = double __attribute__((vector_size(32), aligned(8), may_alias));

int round_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

// A matrix read along rows or columns: entry (i, k) stands at data[i * row_step + k * col_step].
struct Strided {
  const double* data;
  std::ptrdiff_t row_step, col_step;
  const double* at(int i, int k) const { return data + i * row_step + k * col_step; }
};

// A whole sliver: `width` rows side by side, column after column.
template <int width>
inline void pack_sliver(const Strided& from, int depth, double* to) {
  if (from.row_step == 1) {
    for (int k = 0; k < depth; ++k) std::memcpy(to + k * width, from.at(0, k), sizeof(double) * width);
    return;
  }
  std::array<const double*, width> row{};
  for (int i = 0; i < width; ++i) row[i] = from.at(i, 0);
  for (int k = 0; k < depth; ++k)
    for (int i = 0; i < width; ++i) to[k * width + i] = row[i][k];
}

// `count` rows in slivers, the last one filled up with zeros. One of the steps of a matrix is 1.
template <int width>
void pack(const Strided& from, int count, int depth, double* to) {
  with_wide_registers([&] {
    int i = 0;
    for (; i + width <= count; i += width, to += static_cast<std::size_t>(width) * depth)
      pack_sliver<width>({from.at(i, 0), from.row_step, from.col_step}, depth, to);
    if (i == count) return;
    std::fill_n(to, static_cast<std::size_t>(width) * depth, 0.0);
    for (int row = 0; i + row < count; ++row)
      for (int k = 0; k < depth; ++k) to[k * width + row] = *from.at(i + row, k);
  });
}

// sum = (8 x depth) (depth x 4), column by column.
inline void multiply_tile(int depth, const double* a, const double* b, double* sum) {
  Four top_0{}, top_1{}, top_2{}, top_3{}, low_0{}, low_1{}, low_2{}, low_3{};
  for (int k = 0; k < depth; ++k, a += tile_rows, b += tile_cols) {
    const Four top = *reinterpret_cast<const FourAnywhere*>(a);
    const Four low = *reinterpret_cast<const FourAnywhere*>(a + 4);
    top_0 += top * b[0];
    low_0 += low * b[0];
    top_1 += top * b[1];
    low_1 += low * b[1];
    top_2 += top * b[2];
    low_2 += low * b[2];
    top_3 += top * b[3];
    low_3 += low * b[3];
  }
  auto* out = reinterpret_cast<FourAnywhere*>(sum);
  out[0] = top_0, out[1] = low_0;
  out[2] = top_1, out[3] = low_1;
  out[4] = top_2, out[5] = low_2;
  out[6] = top_3, out[7] = low_3;
}

inline void add_tile(double factor, const double* sum, const Block& C) {
  for (int j = 0; j < C.cols; ++j) {
    double* c = C.column(j);
    for (int i = 0; i < C.rows; ++i) c[i] += factor * sum[j * tile_rows + i];
  }
}

inline void add_whole_tile(double factor, const double* sum, const Block& C) {
  for (int j = 0; j < tile_cols; ++j) {
    auto* c = reinterpret_cast<FourAnywhere*>(C.column(j));
    const auto* s = reinterpret_cast<const FourAnywhere*>(sum + j * tile_rows);
    c[0] += factor * s[0];
    c[1] += factor * s[1];
  }
}

// C += factor A B for packed A and B.
void multiply_packed(double factor, int depth, const double* a, const double* b, const Block& C) {
  with_wide_registers([&] {
    double sum[tile_rows * tile_cols];
    for (int j = 0; j < C.cols; j += tile_cols) {
      const int cols = std::min(tile_cols, C.cols - j);
      for (int i = 0; i < C.rows; i += tile_rows) {
        const int rows = std::min(tile_rows, C.rows - i);
        multiply_tile(depth, a + static_cast<std::size_t>(i) * depth, b + static_cast<std::size_t>(j) * depth, sum);
        if (rows == tile_rows && cols == tile_cols)
          add_whole_tile(factor, sum, C.part(i, j, rows, cols));
        else
          add_tile(factor, sum, C.part(i, j, rows, cols));
      }
    }
  });
}

// Rows that are summed side by side, one or two at a time.
struct OneRow {
  using Number = double;
  using Anywhere = double;
};
struct TwoRows {
  using Number = Two;
  using Anywhere = TwoAnywhere;
};

// Few rows: their sums stay in registers, and nothing is copied.
template <class Rows, int count>
void add_thin_product(double factor, const ConstBlock& A, const ConstBlock& B, const Block& C) {
  for (int j = 0; j < C.cols; ++j) {
    const double* a = A.data;
    const double* b = B.column(j);
    typename Rows::Number sum[count]{};
    for (int k = 0; k < A.cols; ++k, a += A.step)
      for (int i = 0; i < count; ++i) sum[i] += reinterpret_cast<const typename Rows::Anywhere*>(a)[i] * b[k];
    auto* c = reinterpret_cast<typename Rows::Anywhere*>(C.column(j));
    for (int i = 0; i < count; ++i) c[i] += factor * sum[i];
  }
}

constexpr int most_thin_rows = 4;

void add_thin(double factor, const ConstBlock& A, const ConstBlock& B, const Block& C) {
  switch (A.rows) {
    case 1: return add_thin_product<OneRow, 1>(factor, A, B, C);
    case 2: return add_thin_product<TwoRows, 1>(factor, A, B, C);
    case 3: return add_thin_product<OneRow, 3>(factor, A, B, C);
    case 4: return add_thin_product<TwoRows, 2>(factor, A, B, C);
    default: return;
  }
}

void add_product(double factor, const Strided& A, const ConstBlock& B, const Block& C) {
  const int depth = std::min(B.rows, most_depth);
  const int rows = round_up(std::min(C.rows, most_rows), tile_rows);
  const int cols = round_up(std::min(C.cols, most_cols), tile_cols);
  const auto numbers = static_cast<std::size_t>(rows + cols) * depth;
  double on_stack[room_on_stack];
  const auto on_heap = numbers > room_on_stack ? std::make_unique_for_overwrite<double[]>(numbers) : nullptr;
  double* packed_a = on_heap ? on_heap.get() : on_stack;
  double* packed_b = packed_a + static_cast<std::size_t>(rows) * depth;
  for (int j = 0; j < C.cols; j += most_cols) {
    const int n = std::min(most_cols, C.cols - j);
    for (int k = 0; k < B.rows; k += most_depth) {
      const int l = std::min(most_depth, B.rows - k);
      pack<tile_cols>({B.column(j) + k, B.step, 1}, n, l, packed_b);
      for (int i = 0; i < C.rows; i += most_rows) {
        const int m = std::min(most_rows, C.rows - i);
        pack<tile_rows>({A.at(i, k), A.row_step, A.col_step}, m, l, packed_a);
        multiply_packed(factor, l, packed_a, packed_b, C.part(i, j, m, n));
      }
    }
  }
}

}  // namespace

double squares(const ConstBlock& A) {
  double sum = 0;
  for (int k = 0; k < A.cols; ++k) {
    const double* a = A.column(k);
    for (int i = 0; i < A.rows; ++i) sum += a[i] * a[i];
  }
  return sum;
}

void add_product(double factor, const ConstBlock& A, const ConstBlock& B, const Block& C) {
  SALVO_EXPECTS(A.cols == B.rows && A.rows == C.rows && B.cols == C.cols);
  if (A.rows <= most_thin_rows) return add_thin(factor, A, B, C);
  add_product(factor, Strided{A.data, 1, A.step}, B, C);
}

void add_transposed_product(double factor, const ConstBlock& A, const ConstBlock& B, const Block& C) {
  SALVO_EXPECTS(A.rows == B.rows && A.cols == C.rows && B.cols == C.cols);
  add_product(factor, Strided{A.data, A.step, 1}, B, C);
}

void add_large_product(const ConstBlock& A, const double* x, double* y) {
  with_wide_registers([&] {
    for (int k = 0; k < A.cols; ++k) {
      const double* a = A.column(k);
      const double factor = x[k];
      for (int i = 0; i < A.rows; ++i) y[i] += a[i] * factor;
    }
  });
}

}  // namespace salvo::dense
