#include "dense/modes.hpp"

#include <Eigen/Eigenvalues>

namespace salvo::dense {

std::optional<Eigen::VectorXcd> eigenvalues(const Eigen::MatrixXd& A) {
  const Eigen::EigenSolver<Eigen::MatrixXd> modes(A, false);
  if (modes.info() != Eigen::Success) return std::nullopt;
  return modes.eigenvalues();
}

SymmetricModes symmetric_modes(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(A);
  return {modes.eigenvalues(), modes.eigenvectors()};
}

}  // namespace salvo::dense
