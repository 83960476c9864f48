#include "solve/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "solve/views.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Index most_rotated = 60;  // columns; n^3 with a large constant
constexpr int most_sweeps = 30;
constexpr double orthogonal = 1e-15;

// Makes columns i and j of U orthogonal; V follows. False if they are already.
bool rotate(MatrixXd& U, MatrixXd& V, Index i, Index j) {
  const double a = U.col(i).squaredNorm();
  const double b = U.col(j).squaredNorm();
  const double c = U.col(i).dot(U.col(j));
  if (!(std::abs(c) > orthogonal * std::sqrt(a * b))) return false;
  const double zeta = (b - a) / (2 * c);
  const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + t * t);
  const double sine = cosine * t;
  for (MatrixXd* M : {&U, &V}) {
    const VectorXd left = M->col(i);
    M->col(i) = cosine * left - sine * M->col(j);
    M->col(j) = sine * left + cosine * M->col(j);
  }
  return true;
}

}  // namespace

Spectrum spectrum_of(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(map(symmetric)));
  const VectorXd& e = solver.eigenvalues();
  return {{e.data(), e.data() + e.size()}, to_matrix(solver.eigenvectors())};
}

Spectrum spectrum_of_squares(const Matrix& A) {
  const Index n = A.cols;
  if (n > most_rotated) return spectrum_of(to_matrix(map(A).transpose() * map(A)));
  MatrixXd U = map(A);
  MatrixXd V = MatrixXd::Identity(n, n);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool rotated = false;
    for (Index i = 0; i + 1 < n; ++i)
      for (Index j = i + 1; j < n; ++j) rotated = rotate(U, V, i, j) || rotated;
    if (!rotated) break;
  }
  Spectrum out{std::vector<double>(n), to_matrix(V)};
  for (Index i = 0; i < n; ++i) out.e[i] = U.col(i).squaredNorm();
  return out;
}

}  // namespace salvo::solve
