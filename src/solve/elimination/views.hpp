#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "dense/product.hpp"

// Matrices and vectors of the house as Eigen sees them, and back.
namespace salvo::solve {

inline Eigen::Map<const Eigen::MatrixXd> map(const Matrix& m) { return {m.data.data(), m.rows, m.cols}; }
inline Eigen::Map<const Eigen::VectorXd> map(std::span<const double> v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}
inline Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> map(const dense::ConstBlock& m) {
  return {m.data, m.rows, m.cols, Eigen::OuterStride<>(m.step)};
}

inline Matrix to_matrix(const Eigen::MatrixXd& m) {
  Matrix out(static_cast<int>(m.rows()), static_cast<int>(m.cols()));
  std::copy(m.data(), m.data() + m.size(), out.data.begin());
  return out;
}

}  // namespace salvo::solve
