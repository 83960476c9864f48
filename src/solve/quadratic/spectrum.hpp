#pragma once

#include <vector>

#include "base/matrix.hpp"

namespace salvo::solve {

// Eigenvalues e and eigenvectors V of a symmetric matrix.
struct Spectrum {
  std::vector<double> e{};
  Matrix V{};
};

// The spectrum of A'A, from the singular values of A: a row that weighs 1e9 times as much as another hides nothing of
// it, as it does in the product. A P = Q R, and one-sided Jacobi rotations W of the columns of R', to high relative
// accuracy
// ([DrmacVeselic08]): R'W = X with orthogonal columns, whose lengths are the singular values and whose directions are
// the rows of V' P. R' is closer to orthogonal columns than A is, and V needs no rotations of its own. For more columns
// than pay for that, from the product.
Spectrum spectrum_of_squares(const Matrix& A);
// The spectrum of a symmetric matrix as it stands.
Spectrum spectrum_of(const Matrix& symmetric);

}  // namespace salvo::solve
