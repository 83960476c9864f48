#pragma once

#include <Eigen/Core>
#include <optional>

namespace salvo::dense {

// Eigenvalues of a square matrix; none if they cannot be found.
std::optional<Eigen::VectorXcd> eigenvalues(const Eigen::MatrixXd& A);

}  // namespace salvo::dense
