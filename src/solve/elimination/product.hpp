#pragma once

#include <Eigen/Core>

namespace salvo::solve {

using MatrixView = Eigen::Ref<const Eigen::MatrixXd>;

// A B and A' B, by kernels for wide registers where the matrices are large.
Eigen::MatrixXd product(const MatrixView& A, const MatrixView& B);
Eigen::MatrixXd transposed_product(const MatrixView& A, const MatrixView& B);

}  // namespace salvo::solve
