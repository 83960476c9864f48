#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"

namespace salvo::dense {

// The upper triangle R of all rows taken in so far, R'R = Σ rows'rows. Rows come in bundles B, each of which is rotated
// into R by Householder's reflections, a panel of columns at a time ([SvL89], compact WY):
//        [R]   [R+]
//     Q' [ ] = [  ],     Q = I - [ I ] T [ I  V' ]   for each panel, with V in the place of its columns of B.
//        [B]   [0 ]              [ V ]
// The reflections stay, so that constants that belong to the rows can follow them.
class Triangle {
 public:
  explicit Triangle(int columns);

  const Matrix& R() const { return R_; }  // zero below its diagonal
  int taken() const { return static_cast<int>(bundles_.size()); }
  void take(Matrix rows);
  // Q' of the n-th bundle, applied to constants: `top` belongs to the rows of R, `l` to those of the bundle.
  void rotate(int n, std::span<double> top, std::span<double> l) const;

 private:
  struct Bundle {
    Matrix V;
    std::vector<Matrix> T;  // of each panel
  };
  Matrix R_;
  std::vector<Bundle> bundles_;
};

}  // namespace salvo::dense
