#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace salvo::solve {

// Eigenvalues e and eigenvectors V of a symmetric matrix.
struct Spectrum {
  std::vector<double> e{};
  Matrix V{};
};

// Of A'A, from the singular values of A: a row that weighs 1e9 times as much as another hides nothing of it, as it does
// in the product. By one-sided Jacobi rotations ([DemmelVeselic92]), to high relative accuracy; for more columns than
// pay for that, from the product.
Spectrum spectrum_of_squares(const Matrix& A);
// Of a symmetric matrix as it stands.
Spectrum spectrum_of(const Matrix& symmetric);

}  // namespace salvo::solve
