#pragma once

#include <memory>

#include "compile/compiled_model.hpp"

namespace salvo::integrate {

// s M - J of one lane, factorised with partial pivoting: for models too large for a list of formulas, and wherever
// elimination in a fixed order would lose digits. The same numbers always give the same pivots.
class PivotedLu {
 public:
  explicit PivotedLu(const compile::CompiledModel& model);
  ~PivotedLu();
  PivotedLu(PivotedLu&&) noexcept;
  PivotedLu& operator=(PivotedLu&&) noexcept;

  // Numbers of one lane stand `stride` apart, the non-zeros of J in the order of CompiledModel::f_x. A singular matrix
  // makes every solution not a number.
  void factorize(const double* nonzeros, double shift, int stride);
  void solve(const double* b, double* x, int stride);
  void solve_transposed(const double* b, double* x, int stride);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace salvo::integrate
