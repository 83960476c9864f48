#include "solve/elimination/null_space_basis.hpp"

#include <algorithm>

#include "dense/triangle.hpp"
#include "solve/elimination/product.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// What growth has pressed below rounding is no constraint any more.
const double lost = 1e-13;
// Pivot, of the largest, below which growth has made the ends of a chain follow from θ through tiny numbers: half of
// the digits are gone, and another elimination keeps them.
const double ill_conditioned = 1e-5;

bool ends_with_minus_identity(const MatrixXd& E) {
  if (E.cols() < E.rows()) return false;
  for (Index j = 0; j < E.rows(); ++j)
    for (Index i = 0; i < E.rows(); ++i)
      if (E(i, E.cols() - E.rows() + j) != (i == j ? -1 : 0)) return false;
  return true;
}

}  // namespace

NullSpaceBasis::NullSpaceBasis(const MatrixXd& E) {
  if (E.rows() == 0) {
    basis_ = MatrixXd::Identity(E.cols(), E.cols());
    return;
  }
  if (ends_with_minus_identity(E)) {
    take_graph(E.leftCols(E.cols() - E.rows()));
    return;
  }
  qr_ = dense::PivotedQr(E.transpose(), lost);
  const MatrixXd Q = qr_.Q();
  range_ = Q.leftCols(qr_.rank());
  basis_ = Q.rightCols(E.cols() - qr_.rank());
}

// [I; F] U^-1 with U'U = I + F'F
void NullSpaceBasis::take_graph(const MatrixXd& F) {
  is_graph_ = true;
  const Index n = F.cols();
  dense::Triangle triangle(static_cast<int>(n));
  triangle.room(static_cast<int>(n)) = to_matrix(MatrixXd::Identity(n, n));
  triangle.take();
  triangle.room(static_cast<int>(F.rows())) = to_matrix(F);
  triangle.take();
  const Eigen::Map<const MatrixXd> U(triangle.R().data.data(), n, n);
  basis_.resize(n + F.rows(), n);
  basis_.topRows(n) = U.triangularView<Eigen::Upper>().solve(MatrixXd::Identity(n, n));
  basis_.bottomRows(F.rows()) = product(F, basis_.topRows(n));
}

MatrixXd NullSpaceBasis::particular(const MatrixXd& e) const {
  if (is_graph_) {  // (0, e) without its share in the basis
    MatrixXd x = -product(basis_, transposed_product(basis_.bottomRows(e.rows()), e));
    x.bottomRows(e.rows()) += e;
    return x;
  }
  if (range_.cols() == 0 || e.cols() == 0) return MatrixXd::Zero(basis_.rows(), e.cols());
  const MatrixXd permuted = qr_.columns().transpose() * e;
  const MatrixXd y = qr_.solve_R_transposed(permuted.topRows(range_.cols()));
  return -range_ * y;
}

bool NullSpaceBasis::is_ill_conditioned() const {
  if (qr_.packed().size() == 0) return false;
  const Eigen::VectorXd diagonal = qr_.packed().diagonal().cwiseAbs();  // falling, close to the singular values
  return diagonal.minCoeff() < ill_conditioned * std::max(1.0, diagonal.maxCoeff());
}

}  // namespace salvo::solve
