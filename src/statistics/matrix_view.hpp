#pragma once

#include <Eigen/Core>

#include "base/matrix.hpp"

namespace salvo::statistics {

inline Eigen::Map<const Eigen::MatrixXd> view(const Matrix& matrix) {
  return {matrix.data.data(), matrix.rows, matrix.cols};
}

}  // namespace salvo::statistics
