#include "dense/pivoted_qr.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace salvo::dense {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd any_matrix(Eigen::Index rows, Eigen::Index columns) {
  MatrixXd out(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = std::sin(1 + 1.7 * i * i + 3.1 * j + i * j);
  return out;
}

TEST(PivotedLeastSquares, LeaveWhatIsOrthogonalToAllColumns) {
  const MatrixXd A = any_matrix(7, 3);
  const VectorXd b = VectorXd::LinSpaced(7, -1, 2);
  const VectorXd left = A * pivoted_least_squares(A, b) - b;
  EXPECT_GT(left.norm(), 0.1);
  EXPECT_LT((A.transpose() * left).norm(), 1e-13);
}

TEST(PivotedLeastSquares, GiveNoShareToAColumnThatOthersMakeUp) {
  MatrixXd A = any_matrix(7, 3);
  A.col(1) = 0.5 * A.col(0);
  const VectorXd x = pivoted_least_squares(A, A.col(0));
  EXPECT_LT((x - VectorXd::Unit(3, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace salvo::dense
