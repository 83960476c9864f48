#pragma once

#include <Eigen/Core>
#include <optional>

namespace salvo::dense {

// Eigenvalues of a square matrix; none if they cannot be found.
std::optional<Eigen::VectorXcd> eigenvalues(const Eigen::MatrixXd& A);

// A = V diag(e) V' of a symmetric matrix, of which the lower triangle is read; e rises.
struct SymmetricModes {
  Eigen::VectorXd e;
  Eigen::MatrixXd V;
};
SymmetricModes symmetric_modes(const Eigen::MatrixXd& A);

}  // namespace salvo::dense
