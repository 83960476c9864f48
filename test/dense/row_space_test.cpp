#include "dense/row_space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dense/householder_qr.hpp"

namespace salvo::dense {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Orthonormal columns, as many as asked for.
MatrixXd orthonormal(Index rows, Index columns, double seed) {
  MatrixXd any(rows, columns);
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) any(i, j) = std::sin(seed + 1.7 * i * i + 3.1 * j + i * j);
  return HouseholderQr(any).first_columns(columns);
}

void expect_orthonormal(const MatrixXd& columns) {
  EXPECT_LT((columns.transpose() * columns - MatrixXd::Identity(columns.cols(), columns.cols())).norm(), 1e-13);
}

TEST(RowSpace, HasTheSingularValuesTheMatrixWasMadeOf) {
  VectorXd made(5);
  made << 3e4, 20, 1, 1e-3, 2e-9;
  const MatrixXd V = orthonormal(5, 5, 0.3);
  for (const Index rows : {Index{5}, Index{9}}) {
    const MatrixXd A = orthonormal(rows, 5, 0.9) * made.asDiagonal() * V.transpose();
    const RowSpace space = row_space(A, 1e-15);
    ASSERT_EQ(space.singular.size(), 5);
    EXPECT_EQ(space.unseen.cols(), 0);
    for (Index k = 0; k < 5; ++k) {
      EXPECT_NEAR(space.singular[k], made[k], 1e-11 + 1e-13 * made[k]) << k;
      if (k < 4) {
        EXPECT_NEAR(std::abs(space.seen.col(k).dot(V.col(k))), 1, 1e-7) << k;
      }
    }
    expect_orthonormal(space.seen);
  }
}

TEST(RowSpace, TellsWhatIsNotSeen) {
  VectorXd made(4);
  made << 5, 1, 1e-9, 0;
  const MatrixXd V = orthonormal(7, 4, 0.5);
  const MatrixXd A = orthonormal(4, 4, 1.2) * made.asDiagonal() * V.transpose();  // fewer rows than columns
  const RowSpace space = row_space(A, 1e-7);
  ASSERT_EQ(space.singular.size(), 2);
  ASSERT_EQ(space.unseen.cols(), 5);
  EXPECT_LT((A * space.unseen).norm(), 2e-9);
  MatrixXd all(7, 7);
  all << space.seen, space.unseen;
  expect_orthonormal(all);
}

TEST(RowSpace, OfNothingAndOfZeros) {
  EXPECT_EQ(row_space(MatrixXd(0, 3), 1e-7).unseen.cols(), 3);
  EXPECT_EQ(row_space(MatrixXd::Zero(4, 3), 1e-7).unseen.cols(), 3);
  EXPECT_EQ(row_space(MatrixXd(0, 0), 1e-7).seen.size(), 0);
}

TEST(RowSpace, OfRowsThatAreNotFiniteIsEmpty) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e308}) {
    MatrixXd A = MatrixXd::Identity(3, 3);
    A(1, 2) = bad;
    A(2, 1) = bad;
    const RowSpace space = row_space(A, 1e-7);
    EXPECT_TRUE(space.seen.allFinite()) << bad;
    EXPECT_TRUE(space.unseen.allFinite()) << bad;
    EXPECT_EQ(space.seen.cols() + space.unseen.cols(), 3) << bad;
  }
}

}  // namespace
}  // namespace salvo::dense
