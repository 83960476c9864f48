#include "dense/triangle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/contract.hpp"
#include "base/wide_registers.hpp"
#include "dense/product.hpp"

namespace salvo::dense {
namespace {

constexpr int panel_width = 32;  // of what is applied to the columns behind it at once
constexpr int narrow = 8;        // panels that are reflected column by column

Block block_of(Matrix& m) { return {m.data.data(), m.rows, m.cols, m.rows}; }
ConstBlock block_of(const Matrix& m) { return {m.data.data(), m.rows, m.cols, m.rows}; }

// Eight sums side by side, so that the order of additions does not depend on the width of registers.
double dot(int n, const double* a, const double* b) {
  constexpr int sums = 8;
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

// A panel whose reflections are applied as they are found.
void reflect_columns(const Block& R, const Block& B, double* tau) {
  with_wide_registers([&] {
    for (int j = 0; j < B.cols; ++j) {
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

// T of H_1 ... H_k = I - (I, V') ' T (I, V'):  T_jj = tau_j,  T_ij = -tau_j Σ_l T_il (V'V)_lj  above the diagonal.
Matrix wy_matrix(const ConstBlock& V, const double* tau) {
  Matrix squares(V.cols, V.cols);
  add_transposed_product(1, V, V, block_of(squares));
  Matrix T(V.cols, V.cols);
  for (int j = 0; j < V.cols; ++j) {
    T(j, j) = tau[j];
    for (int i = 0; i < j; ++i) {
      double sum = 0;
      for (int l = i; l < j; ++l) sum += T(i, l) * squares(l, j);
      T(i, j) = -tau[j] * sum;
    }
  }
  return T;
}

// [R; B] -= [I; V] T' (R + V' B)
void apply(const ConstBlock& V, const Matrix& T, const Block& R, const Block& B) {
  if (R.cols == 0) return;
  Matrix W(R.rows, R.cols);
  for (int j = 0; j < R.cols; ++j)
    std::copy_n(R.column(j), R.rows, W.data.begin() + static_cast<std::ptrdiff_t>(j) * R.rows);
  add_transposed_product(1, V, B, block_of(W));
  Matrix TW(R.rows, R.cols);
  add_transposed_product(1, block_of(T), block_of(W), block_of(TW));
  for (int j = 0; j < R.cols; ++j) add_multiple(R.rows, -1, block_of(TW).column(j), R.column(j));
  add_product(-1, V, block_of(TW), B);
}

// A panel by halves ([EG00]), the left one applied to the right one as a whole; sets the tau of every column.
void reflect_panel(const Block& R, const Block& B, double* tau) {
  if (B.cols <= narrow) {
    reflect_columns(R, B, tau);
    return;
  }
  const int half = B.cols / 2;
  const int rest = B.cols - half;
  const Block left = B.part(0, 0, B.rows, half);
  const Block right = B.part(0, half, B.rows, rest);
  reflect_panel(R.part(0, 0, half, half), left, tau);
  apply(left, wy_matrix(left, tau), R.part(0, half, half, rest), right);
  reflect_panel(R.part(half, half, rest, rest), right, tau + half);
}

}  // namespace

Triangle::Triangle(int columns) : R_(columns, columns) {}

void Triangle::take(Matrix rows) {
  SALVO_EXPECTS(rows.cols == R_.cols);
  Bundle bundle{std::move(rows), {}};
  const Block R = block_of(R_);
  const Block B = block_of(bundle.V);
  for (int j = 0; j < R.cols; j += panel_width) {
    const int width = std::min(panel_width, R.cols - j);
    const int rest = R.cols - j - width;
    const Block panel = B.part(0, j, B.rows, width);
    std::array<double, panel_width> tau{};
    reflect_panel(R.part(j, j, width, width), panel, tau.data());
    bundle.T.push_back(wy_matrix(panel, tau.data()));
    apply(panel, bundle.T.back(), R.part(j, j + width, width, rest), B.part(0, j + width, B.rows, rest));
  }
  bundles_.push_back(std::move(bundle));
}

void Triangle::rotate(int n, std::span<double> top, std::span<double> l) const {
  const Bundle& bundle = bundles_[n];
  SALVO_EXPECTS(static_cast<int>(top.size()) == R_.cols && static_cast<int>(l.size()) == bundle.V.rows);
  const ConstBlock V = block_of(bundle.V);
  with_wide_registers([&] {
    for (std::size_t panel = 0; panel < bundle.T.size(); ++panel) {
      const Matrix& T = bundle.T[panel];
      const int first = static_cast<int>(panel) * panel_width;
      std::array<double, panel_width> w{};
      for (int j = 0; j < T.cols; ++j) w[j] = top[first + j] + dot(V.rows, V.column(first + j), l.data());
      for (int j = 0; j < T.cols; ++j) {
        double sum = 0;
        for (int i = 0; i <= j; ++i) sum += T(i, j) * w[i];
        top[first + j] -= sum;
        add_multiple(V.rows, -sum, V.column(first + j), l.data());
      }
    }
  });
}

}  // namespace salvo::dense
