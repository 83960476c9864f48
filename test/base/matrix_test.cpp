#include "base/matrix.hpp"

#include <gtest/gtest.h>

namespace salvo {
namespace {

TEST(Matrix, StandsColumnByColumn) {
  Matrix matrix(2, 3);
  matrix(1, 0) = 1;
  matrix(0, 2) = 2;
  EXPECT_EQ(matrix.data, (std::vector<double>{0, 1, 0, 0, 2, 0}));
}

TEST(Matrix, IsZeroAfterItsShapeIsSet) {
  Matrix matrix(2, 2);
  matrix(1, 1) = 5;
  matrix.resize(3, 2);
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.cols, 2);
  EXPECT_EQ(matrix.data, std::vector<double>(6, 0.0));
}

}  // namespace
}  // namespace salvo
