#include "dense/modes.hpp"

#include <Eigen/Eigenvalues>

namespace salvo::dense {

std::optional<Eigen::VectorXcd> eigenvalues(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> modes(A, false);
  if (modes.info() != Eigen::Success) return std::nullopt;
  return modes.eigenvalues();
}

}  // namespace salvo::dense
