#pragma once

#include <span>
#include <vector>

#include "base/matrix.hpp"
#include "dense/product.hpp"

namespace salvo::dense {

// Rows [B_1 B_2] of which the first columns, the pivots, are rotated away. R is the upper triangle of all rows taken in
// so far, R'R = Σ B_1'B_1. Rows come in bundles B, each of which is rotated into R by Householder's reflections, a
// panel of columns at a time ([SvL89], compact WY):
//        [R]   [R+]
//     Q' [ ] = [  ],     Q = I - [ I ] T [ I  V' ]   for each panel, with V in the place of its columns of B.
//        [B]   [0 ]              [ V ]
// The reflections stay, so that constants that belong to the rows can follow them; and so do the columns behind the
// pivots, of R and of what is left of each bundle.
class Triangle {
 public:
  Triangle() = default;
  explicit Triangle(int columns) { begin(columns, columns); }

  // Forgets its rows, but not its memory.
  void begin(int columns, int pivots);
  // The next bundle: room for so many rows, which the caller fills before they are taken in. It has a few more, so that
  // they come to a multiple of eight; all are zero at first.
  Matrix& room(int rows);
  void take();

  const Matrix& R() const { return R_; }  // zero below its diagonal
  int pivots() const { return R_.rows; }
  int taken() const { return taken_; }
  int rows(int n) const { return bundles_[n].rows.rows; }  // of the n-th bundle
  // Behind the pivots: what is left of the n-th bundle.
  ConstBlock left(int n) const;
  // Q' of the n-th bundle, applied to constants: `top` belongs to the rows of R, `l` to those of the bundle.
  void rotate(int n, std::span<double> top, std::span<double> l) const;

 private:
  struct Bundle {
    Matrix rows{};  // V in the columns of the pivots
    std::vector<double> tau{};
  };
  // Products on the way from a panel to the columns behind it.
  struct Room {
    Matrix squares{}, T{}, W{}, TW{};
  };
  static void form_T(const ConstBlock& V, const double* tau, Room& room);
  static void apply(const ConstBlock& V, const double* tau, const Block& R, const Block& B, Room& room);
  static void reflect_panel(const Block& R, const Block& B, double* tau, Room& room);

  Matrix R_{};
  std::vector<Bundle> bundles_{};  // the first `taken_` of them, and what earlier uses have left
  int taken_ = 0;
  Room room_{};
};

}  // namespace salvo::dense
