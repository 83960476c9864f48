#include "dense/triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/contract.hpp"
#include "base/wide_registers.hpp"

namespace salvo::dense {
namespace {

constexpr int panel_width = 32;  // of what is applied to the columns behind it at once
constexpr int narrow = 8;        // panels that are reflected column by column

constexpr int sums_at_once = 8;

// Eight sums side by side, so that the order of additions does not depend on the width of registers.
double dot(int n, const double* a, const double* b) {
  constexpr int sums = sums_at_once;
  std::array<double, sums> sum{};
  int i = 0;
  for (; i + sums <= n; i += sums)
    for (int l = 0; l < sums; ++l) sum[l] += a[i + l] * b[i + l];
  for (int l = 0; i < n; ++i, ++l) sum[l] += a[i] * b[i];
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

void add_multiple(int n, double factor, const double* from, double* to) {
  for (int i = 0; i < n; ++i) to[i] += factor * from[i];
}

// The reflection I - tau (1, v)(1, v)' that takes (alpha, b) to (beta, 0); b becomes v, alpha becomes beta.
double reflect(int n, double& alpha, double* b) {
  const double tail = dot(n, b, b);
  if (tail == 0) return 0;
  const double beta = alpha > 0 ? -std::sqrt(alpha * alpha + tail) : std::sqrt(alpha * alpha + tail);
  const double inverse = 1 / (alpha - beta);
  for (int i = 0; i < n; ++i) b[i] *= inverse;
  const double tau = (beta - alpha) / beta;
  alpha = beta;
  return tau;
}

// Columns whose reflections are applied as they are found, as many of them as R has rows.
void reflect_columns(const Block& R, const Block& B, double* tau) {
  with_wide_registers([&] {
    for (int j = 0; j < R.rows; ++j) {
      const double* v = B.column(j);
      tau[j] = reflect(B.rows, R.column(j)[j], B.column(j));
      for (int c = j + 1; c < B.cols; ++c) {
        double& above = R.column(c)[j];
        const double w = tau[j] * (above + dot(B.rows, v, B.column(c)));
        above -= w;
        add_multiple(B.rows, -w, v, B.column(c));
      }
    }
  });
}

}  // namespace

// T of H_1 ... H_k = I - (I, V') ' T (I, V'):  T_jj = tau_j,  T_ij = -tau_j Σ_l T_il (V'V)_lj  above the diagonal.
void Triangle::form_T(const ConstBlock& V, const double* tau, Room& room) {
  room.squares.resize(V.cols, V.cols);
  add_transposed_product(1, V, V, block_of(room.squares));
  room.T.resize(V.cols, V.cols);
  for (int j = 0; j < V.cols; ++j) {
    room.T(j, j) = tau[j];
    for (int i = 0; i < j; ++i) {
      double sum = 0;
      for (int l = i; l < j; ++l) sum += room.T(i, l) * room.squares(l, j);
      room.T(i, j) = -tau[j] * sum;
    }
  }
}

// [R; B] -= [I; V] T' (R + V' B)
void Triangle::apply(const ConstBlock& V, const double* tau, const Block& R, const Block& B, Room& room) {
  if (R.cols == 0) return;
  form_T(V, tau, room);
  room.W.resize(R.rows, R.cols);
  for (int j = 0; j < R.cols; ++j) std::copy_n(R.column(j), R.rows, block_of(room.W).column(j));
  add_transposed_product(1, V, B, block_of(room.W));
  room.TW.resize(R.rows, R.cols);
  add_transposed_product(1, block_of(room.T), block_of(room.W), block_of(room.TW));
  for (int j = 0; j < R.cols; ++j) add_multiple(R.rows, -1, block_of(room.TW).column(j), R.column(j));
  add_product(-1, V, block_of(room.TW), B);
}

// A panel by halves ([EG00]), the left one applied to the right one as a whole; sets the tau of every column.
void Triangle::reflect_panel(const Block& R, const Block& B, double* tau, Room& room) {
  if (B.cols <= narrow) {
    reflect_columns(R, B, tau);
    return;
  }
  const int half = B.cols / 2;
  const int rest = B.cols - half;
  const Block left = B.part(0, 0, B.rows, half);
  const Block right = B.part(0, half, B.rows, rest);
  reflect_panel(R.part(0, 0, half, half), left, tau, room);
  apply(left, tau, R.part(0, half, half, rest), right, room);
  reflect_panel(R.part(half, half, rest, rest), right, tau + half, room);
}

void Triangle::begin(int columns, int pivots) {
  SALVO_EXPECTS(pivots <= columns);
  R_.resize(pivots, columns);
  taken_ = 0;
}

Matrix& Triangle::room(int rows) {
  if (static_cast<int>(bundles_.size()) == taken_) bundles_.emplace_back();
  Matrix& room = bundles_[taken_].rows;
  room.resize((rows + sums_at_once - 1) / sums_at_once * sums_at_once, R_.cols);
  return room;
}

void Triangle::take() {
  Bundle& bundle = bundles_[taken_++];
  SALVO_EXPECTS(bundle.rows.cols == R_.cols);
  const Block R = block_of(R_);
  const Block B = block_of(bundle.rows);
  bundle.tau.resize(R.rows);
  if (R.rows <= narrow) {
    reflect_columns(R, B, bundle.tau.data());
    return;
  }
  for (int j = 0; j < R.rows; j += panel_width) {
    const int width = std::min(panel_width, R.rows - j);
    const int rest = R.cols - j - width;
    const Block panel = B.part(0, j, B.rows, width);
    double* tau = bundle.tau.data() + j;
    reflect_panel(R.part(j, j, width, width), panel, tau, room_);
    apply(panel, tau, R.part(j, j + width, width, rest), B.part(0, j + width, B.rows, rest), room_);
  }
}

ConstBlock Triangle::left(int n) const {
  const Matrix& rows = bundles_[n].rows;
  return block_of(rows).part(0, pivots(), rows.rows, rows.cols - pivots());
}

void Triangle::rotate(int n, std::span<double> top, std::span<double> l) const {
  const Bundle& bundle = bundles_[n];
  SALVO_EXPECTS(static_cast<int>(top.size()) == R_.rows && static_cast<int>(l.size()) == bundle.rows.rows);
  const ConstBlock V = block_of(bundle.rows);
  with_wide_registers([&] {
    for (int j = 0; j < R_.rows; ++j) {
      const double w = bundle.tau[j] * (top[j] + dot(V.rows, V.column(j), l.data()));
      top[j] -= w;
      add_multiple(V.rows, -w, V.column(j), l.data());
    }
  });
}

}  // namespace salvo::dense
