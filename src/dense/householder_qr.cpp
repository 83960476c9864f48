#include "dense/householder_qr.hpp"

#include <Eigen/QR>
#include <algorithm>

namespace salvo::dense {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

auto square_part(const MatrixXd& packed) { return packed.topRows(packed.cols()).triangularView<Eigen::Upper>(); }

}  // namespace

void HouseholderQr::compute(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  packed_ = qr.matrixQR();
  coefficients_ = qr.hCoeffs();
}

MatrixXd HouseholderQr::R() const {
  return packed_.topRows(std::min(packed_.rows(), packed_.cols())).triangularView<Eigen::Upper>();
}

void HouseholderQr::rotate(MatrixXd& v) const {
  v.applyOnTheLeft(Eigen::householderSequence(packed_, coefficients_).transpose());
}

void HouseholderQr::rotate(VectorXd& v) const {
  v.applyOnTheLeft(Eigen::householderSequence(packed_, coefficients_).transpose());
}

void HouseholderQr::rotate_back(VectorXd& v) const {
  v.applyOnTheLeft(Eigen::householderSequence(packed_, coefficients_));
}

MatrixXd HouseholderQr::first_columns(Index count) const {
  return Eigen::householderSequence(packed_, coefficients_) * MatrixXd::Identity(packed_.rows(), count);
}

MatrixXd HouseholderQr::solve_R(const MatrixXd& v) const { return square_part(packed_).solve(v); }
VectorXd HouseholderQr::solve_R(const VectorXd& v) const { return square_part(packed_).solve(v); }
VectorXd HouseholderQr::solve_R_transposed(const VectorXd& v) const {
  const auto R = square_part(packed_);
  return R.transpose().solve(v);
}

VectorXd HouseholderQr::least_squares(const VectorXd& b) const {
  VectorXd rotated = b;
  rotate(rotated);
  return solve_R(VectorXd(rotated.head(packed_.cols())));
}

}  // namespace salvo::dense
