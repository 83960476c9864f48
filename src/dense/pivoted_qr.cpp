#include "dense/pivoted_qr.hpp"

#include <Eigen/QR>

namespace salvo::dense {

using Eigen::MatrixXd;

namespace {

auto seen_part(const MatrixXd& packed, Eigen::Index rank) {
  return packed.topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
}

}  // namespace

PivotedQr::PivotedQr(const MatrixXd& A, double tolerance) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(tolerance);
  qr.compute(A);
  packed_ = qr.matrixQR();
  coefficients_ = qr.hCoeffs();
  columns_ = qr.colsPermutation();
  rank_ = qr.rank();
}

MatrixXd PivotedQr::Q() const { return Eigen::householderSequence(packed_, coefficients_); }

void PivotedQr::rotate(Eigen::Ref<MatrixXd> v) const {
  v.applyOnTheLeft(Eigen::householderSequence(packed_, coefficients_).transpose());
}

MatrixXd PivotedQr::solve(const MatrixXd& b) const {
  MatrixXd rotated = b;
  rotate(rotated);
  return columns_ * solve_R(rotated.topRows(rank_));
}

MatrixXd PivotedQr::solve_R(const MatrixXd& v) const { return seen_part(packed_, rank_).solve(v); }
MatrixXd PivotedQr::solve_R_transposed(const MatrixXd& v) const {
  const auto R = seen_part(packed_, rank_);
  return R.transpose().solve(v);
}

Eigen::VectorXd pivoted_least_squares(const MatrixXd& A, const Eigen::VectorXd& b) {
  return A.colPivHouseholderQr().solve(b);
}

}  // namespace salvo::dense
