#include "solve/quadratic/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dense/modes.hpp"
#include "dense/pivoted_qr.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const double orthogonal = 1e-15;  // a few roundings
const int most_sweeps = 100;      // of rotations, which converge quadratically: in no test are they used up
const int most_rotated = 60;      // columns, beyond which rotations take too long: their work grows with the cube

// The largest rows first: so reflections lose nothing of the small ones ([CoxHigham98]).
MatrixXd by_falling_rows(const MatrixXd& A) {
  const VectorXd size = A.rowwise().squaredNorm();
  std::vector<Index> order(A.rows());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&size](Index i, Index j) { return size[i] > size[j]; });
  return A(order, Eigen::all);
}

// Makes columns i and j of X orthogonal; `squares` are the squares of their lengths. False if they are already.
bool rotate(MatrixXd& X, VectorXd& squares, Index i, Index j) {
  const double a = squares[i];
  const double b = squares[j];
  const double c = X.col(i).dot(X.col(j));
  if (!(std::abs(c) > orthogonal * std::sqrt(a * b))) return false;
  const double zeta = (b - a) / (2 * c);
  const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + t * t);
  const double sine = cosine * t;
  double* left = X.col(i).data();
  double* right = X.col(j).data();
  for (Index k = 0; k < X.rows(); ++k) {
    const double old = left[k];
    left[k] = cosine * old - sine * right[k];
    right[k] = sine * old + cosine * right[k];
  }
  squares[i] = std::max(a - t * c, 0.0);
  squares[j] = b + t * c;
  return true;
}

void make_columns_orthogonal(MatrixXd& X) {
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    VectorXd squares = X.colwise().squaredNorm();
    bool rotated = false;
    for (Index i = 0; i + 1 < X.cols(); ++i)
      for (Index j = i + 1; j < X.cols(); ++j) rotated = rotate(X, squares, i, j) || rotated;
    if (!rotated) return;
  }
}

// Brings columns to length one, and replaces those of length zero by what completes a basis.
MatrixXd orthonormal(const MatrixXd& X, const VectorXd& lengths) {
  const Index n = X.rows();
  MatrixXd V(n, n);
  std::vector<Index> open;
  for (Index k = 0; k < n; ++k) {
    if (k < X.cols() && lengths[k] > 0)
      V.col(k) = X.col(k) / lengths[k];
    else
      V.col(k).setZero(), open.push_back(k);
  }
  if (open.empty()) return V;
  // The last columns of Q are orthogonal to all others, whose rank is what is not open.
  const MatrixXd Q = dense::PivotedQr(V, 0).Q();
  for (std::size_t k = 0; k < open.size(); ++k) V.col(open[k]) = Q.col(n - static_cast<Index>(open.size() - k));
  return V;
}

}  // namespace

Spectrum spectrum_of(const Matrix& symmetric) {
  const auto [e, V] = dense::symmetric_modes(map(symmetric));
  return {{e.data(), e.data() + e.size()}, to_matrix(V)};
}

Spectrum spectrum_of_squares(const Matrix& A) {
  const Index n = A.cols;
  if (n == 0 || A.rows == 0) return {std::vector<double>(n, 0.0), to_matrix(MatrixXd::Identity(n, n))};
  if (n > most_rotated) return spectrum_of(to_matrix(map(A).transpose() * map(A)));
  const dense::PivotedQr qr(by_falling_rows(map(A)), 0);
  const Index rows = std::min<Index>(A.rows, n);
  MatrixXd X = qr.packed().topRows(rows).triangularView<Eigen::Upper>().transpose();
  make_columns_orthogonal(X);
  const VectorXd lengths = X.colwise().norm();
  Spectrum out{std::vector<double>(n, 0.0), to_matrix(qr.columns() * orthonormal(X, lengths))};
  for (Index i = 0; i < rows; ++i) out.e[i] = lengths[i] * lengths[i];
  return out;
}

}  // namespace salvo::solve
