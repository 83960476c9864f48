#include "dense/triangle.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "base/random.hpp"

namespace salvo::dense {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(int rows, int cols, std::uint64_t seed) {
  Random random(seed);
  return MatrixXd::NullaryExpr(rows, cols, [&random] { return random.normal(); });
}

Matrix plain(const MatrixXd& m) {
  Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  std::copy(m.data(), m.data() + m.size(), out.data.begin());
  return out;
}
MatrixXd R_of(const Triangle& triangle) {
  return Eigen::Map<const MatrixXd>(triangle.R().data.data(), triangle.R().rows, triangle.R().cols);
}

// Rows in bundles of the given sizes.
Triangle triangle_of(const MatrixXd& rows, const std::vector<int>& sizes) {
  Triangle triangle(static_cast<int>(rows.cols()));
  int first = 0;
  for (const int size : sizes) {
    triangle.room(size) = plain(rows.middleRows(first, size));
    triangle.take();
    first += size;
  }
  return triangle;
}

TEST(Triangle, HasTheSquaresOfAllItsRows) {
  for (const int columns : {1, 5, 8, 31, 33, 100}) {
    const MatrixXd rows = random_matrix(150, columns, 1);
    const MatrixXd R = R_of(triangle_of(rows, {3, 80, 1, 66}));
    EXPECT_TRUE(R.isUpperTriangular(0));
    EXPECT_LE((R.transpose() * R - rows.transpose() * rows).norm(), 1e-12 * rows.squaredNorm()) << columns;
  }
}

TEST(Triangle, SolvesLeastSquaresLikeEigen) {
  for (const int columns : {1, 7, 40, 90}) {
    const MatrixXd rows = random_matrix(120, columns, 2);
    const VectorXd l = random_matrix(120, 1, 3);
    const std::vector<int> sizes{50, 4, 66};
    const Triangle triangle = triangle_of(rows, sizes);
    std::vector<double> top(columns, 0.0);
    double left = 0;  // squares of what no x can explain
    int first = 0;
    for (int n = 0; n < triangle.taken(); ++n) {
      std::vector<double> of_bundle(l.data() + first, l.data() + first + sizes[n]);
      triangle.rotate(n, top, of_bundle);
      for (const double number : of_bundle) left += number * number;
      first += sizes[n];
    }
    const VectorXd f = Eigen::Map<const VectorXd>(top.data(), columns);
    const VectorXd x = R_of(triangle).triangularView<Eigen::Upper>().solve(f);
    const VectorXd expected = rows.householderQr().solve(l);
    EXPECT_LE((x - expected).norm(), 1e-11 * expected.norm()) << columns;
    EXPECT_NEAR(left, (l - rows * expected).squaredNorm(), 1e-11) << columns;
  }
}

TEST(Triangle, RotatesItsPivotsOutOfTheRowsAndKeepsWhatIsLeft) {
  for (const int pivots : {0, 3, 20}) {
    const int columns = pivots + 6;
    const MatrixXd rows = random_matrix(15, columns, 5);
    Triangle triangle;
    triangle.begin(columns, pivots);
    triangle.room(15) = plain(rows);
    triangle.take();
    const ConstBlock left = triangle.left(0);
    MatrixXd all = MatrixXd::Zero(pivots + 15, columns);
    all.topRows(pivots) = R_of(triangle);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 15; ++i) all(pivots + i, pivots + j) = left.column(j)[i];
    EXPECT_LE((all.transpose() * all - rows.transpose() * rows).norm(), 1e-12 * rows.squaredNorm()) << pivots;
  }
}

TEST(Triangle, BeginsAnewAsIfItWereNew) {
  const MatrixXd rows = random_matrix(40, 12, 6);
  Triangle triangle = triangle_of(random_matrix(50, 12, 7), {20, 30});
  triangle.begin(12, 12);
  triangle.room(40) = plain(rows);
  triangle.take();
  EXPECT_EQ(triangle.taken(), 1);
  EXPECT_EQ(R_of(triangle), R_of(triangle_of(rows, {40})));
}

TEST(Triangle, TakesColumnsOfZerosAndRowsWithoutInformation) {
  MatrixXd rows = random_matrix(30, 12, 4);
  rows.col(5).setZero();
  rows.middleRows(10, 8).setZero();
  const MatrixXd R = R_of(triangle_of(rows, {10, 8, 12}));
  EXPECT_TRUE(R.allFinite());
  EXPECT_LE((R.transpose() * R - rows.transpose() * rows).norm(), 1e-12 * rows.squaredNorm());
}

}  // namespace
}  // namespace salvo::dense
