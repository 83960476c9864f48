#include "solve/solution_set.hpp"

#include <algorithm>

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// A pivot of [A B] below this, relative to the largest, makes a chain wild.
constexpr double wild = 1e-5;
// What growth has pressed below the accuracy of integration is not a constraint any more.
constexpr double lost = 1e-6;

}  // namespace

SolutionSet::SolutionSet(const MatrixXd& E) {
  if (E.rows() == 0) {
    basis_ = MatrixXd::Identity(E.cols(), E.cols());
    return;
  }
  qr_.setThreshold(lost);
  qr_.compute(E.transpose());
  const MatrixXd Q = qr_.householderQ();
  range_ = Q.leftCols(qr_.rank());
  basis_ = Q.rightCols(E.cols() - qr_.rank());
}

MatrixXd SolutionSet::particular(const MatrixXd& e) const {
  if (range_.cols() == 0 || e.cols() == 0) return MatrixXd::Zero(basis_.rows(), e.cols());
  const Index rank = range_.cols();
  const MatrixXd permuted = qr_.colsPermutation().transpose() * e;
  const MatrixXd y =
      qr_.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().transpose().solve(permuted.topRows(rank));
  return -range_ * y;
}

bool SolutionSet::is_wild() const {
  if (qr_.matrixQR().size() == 0) return false;
  const Eigen::VectorXd diagonal = qr_.matrixQR().diagonal().cwiseAbs();  // falling, close to the singular values
  return diagonal.minCoeff() < wild * std::max(1.0, diagonal.maxCoeff());
}

}  // namespace salvo::solve
