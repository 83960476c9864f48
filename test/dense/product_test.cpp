#include "dense/product.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

namespace salvo::dense {
namespace {

using Eigen::MatrixXd;

MatrixXd waves(int rows, int cols, double frequency) {
  return MatrixXd::NullaryExpr(rows, cols, [frequency](Eigen::Index i, Eigen::Index j) {
    return std::sin(frequency * static_cast<double>(i) + static_cast<double>(3 * j));
  });
}

ConstBlock block(const MatrixXd& m) {
  return {m.data(), static_cast<int>(m.rows()), static_cast<int>(m.cols()), static_cast<int>(m.rows())};
}
Block block(MatrixXd& m) {
  return {m.data(), static_cast<int>(m.rows()), static_cast<int>(m.cols()), static_cast<int>(m.rows())};
}

struct Shape {
  int rows, depth, cols;
};
// Below, at and above the sizes of tiles and blocks.
const std::vector<Shape> shapes{{1, 1, 1}, {7, 3, 5},   {8, 4, 4},      {9, 256, 5},    {96, 257, 3}, {2, 9, 6},
                                {3, 2, 2}, {4, 300, 1}, {101, 300, 13}, {33, 16, 1030}, {0, 4, 4},    {4, 0, 4}};

TEST(Product, IsThatOfEigen) {
  for (const auto& [rows, depth, cols] : shapes) {
    const MatrixXd A = waves(rows, depth, 0.7);
    const MatrixXd B = waves(depth, cols, 1.1);
    MatrixXd C = waves(rows, cols, 0.3);
    const MatrixXd expected = C + 2.5 * (A * B);
    add_product(2.5, block(A), block(B), block(C));
    EXPECT_LE((C - expected).norm(), 1e-13 * (1 + expected.norm())) << rows << ", " << depth << ", " << cols;
  }
}

TEST(Product, WithATransposeIsThatOfEigen) {
  for (const auto& [rows, depth, cols] : shapes) {
    const MatrixXd A = waves(depth, rows, 0.7);
    const MatrixXd B = waves(depth, cols, 1.1);
    MatrixXd C = waves(rows, cols, 0.3);
    const MatrixXd expected = C - A.transpose() * B;
    add_transposed_product(-1, block(A), block(B), block(C));
    EXPECT_LE((C - expected).norm(), 1e-13 * (1 + expected.norm())) << rows << ", " << depth << ", " << cols;
  }
}

TEST(Product, TouchesNothingBesideItsBlock) {
  const MatrixXd A = waves(11, 20, 0.7);
  const MatrixXd B = waves(20, 6, 1.1);
  MatrixXd C = MatrixXd::Constant(20, 10, 4);
  MatrixXd expected = C;
  expected.block(3, 2, 11, 6) += A * B;
  add_product(1, block(A), block(B), block(C).part(3, 2, 11, 6));
  EXPECT_LE((C - expected).norm(), 1e-13 * expected.norm());
}

TEST(Product, WithAVectorIsThatOfEigen) {
  for (const auto& [rows, depth, cols] : shapes) {
    const MatrixXd A = waves(rows, depth, 0.7);
    const Eigen::VectorXd x = waves(depth, 1, 1.1);
    const Eigen::VectorXd z = waves(rows, 1, 1.3);
    std::vector<double> y(rows, 1.5);
    std::vector<double> transposed(depth, 2.5);
    add_product(block(A), {x.data(), static_cast<std::size_t>(depth)}, y);
    add_transposed_product(block(A), {z.data(), static_cast<std::size_t>(rows)}, transposed);
    const Eigen::VectorXd expected = (A * x).array() + 1.5;
    const Eigen::VectorXd back = (A.transpose() * z).array() + 2.5;
    for (int i = 0; i < rows; ++i) EXPECT_NEAR(y[i], expected[i], 1e-12);
    for (int k = 0; k < depth; ++k) EXPECT_NEAR(transposed[k], back[k], 1e-12);
  }
}

}  // namespace
}  // namespace salvo::dense
