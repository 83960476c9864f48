#pragma once

#include <optional>
#include <vector>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// s M - J of one lane for fields along a line: a band, factorised with partial pivoting inside it, and a border of the
// few states that many cells feel or that close a ring,
//   [A B; C D] [x; y] = [b; c],   (D - C A^-1 B) y = c - C A^-1 b,   x = A^-1 (b - B y).
class BandedLu {
 public:
  // None where the non-zeros are no band, or the border would be wide.
  static std::optional<BandedLu> of(const compile::CompiledModel& model);

  // As PivotedLu; false: singular.
  bool factorize(const double* nonzeros, double shift, int stride);
  void solve(double* x);  // in its place, numbers in the order of the model's states
  void solve_transposed(double* x);
  int bandwidth() const { return lower_ + upper_ + 1; }

 private:
  bool factorize_band();
  int eliminate_three_diagonals();
  void solve_three_diagonals(double* x) const;
  bool factorize_corner();
  void solve_band(double* x) const;
  void solve_band_transposed(double* x) const;
  void solve_corner(double* y, bool transposed) const;
  double& band(int row, int column) { return numbers_[band_place(row, column)]; }
  double band(int row, int column) const { return numbers_[band_place(row, column)]; }
  std::size_t band_place(int row, int column) const {
    return static_cast<std::size_t>(column) * height_ + static_cast<std::size_t>(lower_ + upper_ + row - column);
  }
  double* right() { return numbers_.data() + right_; }  // B, then A^-1 B, column by column
  const double* right() const { return numbers_.data() + right_; }
  const double* below() const { return numbers_.data() + below_; }  // C, row by row
  double* corner() { return numbers_.data() + corner_; }            // D, then its factors, row by row
  const double* corner() const { return numbers_.data() + corner_; }

  int size_ = 0;    // of the band
  int border_ = 0;  // of the rest
  int lower_ = 0, upper_ = 0;
  bool has_moved_rows_ = false;  // for a larger pivot
  bool is_in_order_ = false;     // the band has all states, and has them in their order
  int height_ = 0;               // numbers of a column of the band, with room for rows that change places
  std::size_t right_ = 0, below_ = 0, corner_ = 0;
  std::vector<int> place_of_state_{};   // in the band, or behind it
  std::vector<std::size_t> target_{};   // of each non-zero
  std::vector<std::size_t> shifted_{};  // diagonal entries on which s stands
  std::vector<double> numbers_{}, side_{};
  std::vector<int> pivot_{}, corner_pivot_{};
};

}  // namespace salvo::integrate
