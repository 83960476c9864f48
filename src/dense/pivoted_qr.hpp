#pragma once

#include <Eigen/Core>

namespace salvo::dense {

// A P = Q R by Householder's reflections, the largest remaining column first, so that the rank shows.
class PivotedQr {
 public:
  PivotedQr() = default;
  // Pivots below `tolerance` times the largest do not count.
  PivotedQr(const Eigen::MatrixXd& A, double tolerance);

  // R on and above the diagonal, reflections below.
  const Eigen::MatrixXd& packed() const { return packed_; }
  Eigen::Index rank() const { return rank_; }
  const Eigen::PermutationMatrix<Eigen::Dynamic>& columns() const { return columns_; }  // P
  Eigen::MatrixXd Q() const;
  void rotate(Eigen::Ref<Eigen::MatrixXd> v) const;  // v = Q' v

  // The x with the least |A x - b|, for each column b; A has full rank.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;

  // R^-1 v and R'^-1 v with as much of R as the rank says
  Eigen::MatrixXd solve_R(const Eigen::MatrixXd& v) const;
  Eigen::MatrixXd solve_R_transposed(const Eigen::MatrixXd& v) const;

 private:
  Eigen::MatrixXd packed_;
  Eigen::VectorXd coefficients_;
  Eigen::PermutationMatrix<Eigen::Dynamic> columns_;
  Eigen::Index rank_ = 0;
};

// The x with the least |A x - b|. Columns that the others make up to rounding get no share.
Eigen::VectorXd pivoted_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace salvo::dense
