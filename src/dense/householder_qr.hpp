#pragma once

#include <Eigen/Core>

namespace salvo::dense {

// A = Q R by Householder's reflections. Eigen does it; its templates take seconds to compile, so all who need them
// share these.
class HouseholderQr {
 public:
  HouseholderQr() = default;
  explicit HouseholderQr(const Eigen::MatrixXd& A) { compute(A); }
  void compute(const Eigen::MatrixXd& A);

  // R on and above the diagonal, reflections below.
  const Eigen::MatrixXd& packed() const { return packed_; }
  Eigen::MatrixXd R() const;  // with as many rows as A has, but no more than columns

  // v = Q' v and v = Q v
  void rotate(Eigen::MatrixXd& v) const;
  void rotate(Eigen::VectorXd& v) const;
  void rotate_back(Eigen::VectorXd& v) const;
  Eigen::MatrixXd first_columns(Eigen::Index count) const;  // of Q

  // R^-1 v and R'^-1 v, R square
  Eigen::MatrixXd solve_R(const Eigen::MatrixXd& v) const;
  Eigen::VectorXd solve_R(const Eigen::VectorXd& v) const;
  Eigen::VectorXd solve_R_transposed(const Eigen::VectorXd& v) const;
  // x with the least |A x - b|, for A of full rank
  Eigen::VectorXd least_squares(const Eigen::VectorXd& b) const;

 private:
  Eigen::MatrixXd packed_;
  Eigen::VectorXd coefficients_;
};

}  // namespace salvo::dense
