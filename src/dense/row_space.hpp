#pragma once

#include <Eigen/Core>

namespace salvo::dense {

// What the rows of A see: its singular value decomposition U S V' without U. Singular values of `tolerance` times the
// largest and less do not count. Rows that are not finite see nothing.
struct RowSpace {
  Eigen::VectorXd singular;  // falling
  Eigen::MatrixXd seen;      // the columns of V that belong to them
  Eigen::MatrixXd unseen;    // an orthonormal basis of all that is orthogonal to those
};
RowSpace row_space(const Eigen::MatrixXd& A, double tolerance);

}  // namespace salvo::dense
