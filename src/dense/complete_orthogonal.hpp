#pragma once

#include <Eigen/Core>

namespace salvo::dense {

// The complete orthogonal decomposition A = Q [T 0; 0 0] Z P' of a matrix whose rank is not known. What
// lies below `tolerance` times the largest pivot does not count.
struct CompleteOrthogonal {
  Eigen::Index rank = 0;
  Eigen::MatrixXd T;
  Eigen::MatrixXd directions;  // P Z': of x, first those that T tells apart, then those that A does not see
  Eigen::VectorXd rotated;     // Q' b
};
CompleteOrthogonal complete_orthogonal(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance);

// The shortest x with the least |A x - b|, and a basis of the x that A does not see.
struct ShortestSolution {
  Eigen::VectorXd x;
  Eigen::Index rank = 0;
  Eigen::MatrixXd unseen;
};
ShortestSolution shortest_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance);

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A);

}  // namespace salvo::dense
