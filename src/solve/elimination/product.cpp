#include "solve/elimination/product.hpp"

#include "dense/product.hpp"

namespace salvo::solve {

using Eigen::MatrixXd;

namespace {

const double small_work = 4000;  // multiplications that do not pay for the order in which kernels want their numbers

bool is_small(Eigen::Index n, Eigen::Index k, Eigen::Index m) {
  return static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(m) < small_work;
}

int to_int(Eigen::Index n) { return static_cast<int>(n); }
dense::ConstBlock block(const MatrixView& m) {
  return {m.data(), to_int(m.rows()), to_int(m.cols()), to_int(m.outerStride())};
}
dense::Block block(MatrixXd& m) { return {m.data(), to_int(m.rows()), to_int(m.cols()), to_int(m.rows())}; }

}  // namespace

MatrixXd product(const MatrixView& A, const MatrixView& B) {
  if (is_small(A.rows(), A.cols(), B.cols())) return A * B;
  MatrixXd C = MatrixXd::Zero(A.rows(), B.cols());
  dense::add_product(1, block(A), block(B), block(C));
  return C;
}

MatrixXd transposed_product(const MatrixView& A, const MatrixView& B) {
  if (is_small(A.cols(), A.rows(), B.cols())) return A.transpose() * B;
  MatrixXd C = MatrixXd::Zero(A.cols(), B.cols());
  dense::add_transposed_product(1, block(A), block(B), block(C));
  return C;
}

}  // namespace salvo::solve
