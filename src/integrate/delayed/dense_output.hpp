#pragma once

#include <array>
#include <vector>

#include "compile/step_kernels.hpp"

namespace salvo::integrate {

inline constexpr int most_dense_stages = 8;
using DenseWeights = std::array<double, most_dense_stages>;

// An explicit method with an interpolant, x(t_n + theta h) = x_n + h sum_i beta_i(theta) k_i, whose last stage is f at
// the end of the step. The interpolant is the cubic of Hermite, and a part of fourth order where the method has one
// ([HNW93] II.6, contd5).
struct DenseMethod {
  const compile::Tableau* tableau = nullptr;
  std::vector<double> fourth{};  // weights of that part, one for each stage and f at the end; empty: none
  int order = 5;                 // discontinuities of this order and above are of no concern

  int inner_stages() const { return tableau->stages(); }
  int stages() const { return tableau->stages() + 1; }
  double node(int i) const { return i < tableau->stages() ? tableau->c[i] : 1; }
  // Row i of the method; the last one leads to the end of the step.
  const double* row(int i) const { return i < tableau->stages() ? tableau->a[i].data() : tableau->b.data(); }

  // beta_i(theta) and its derivative.
  void weights(double theta, DenseWeights& beta, DenseWeights& slope) const {
    const double rest = 1 - theta;
    const int last = tableau->stages();
    for (int i = 0; i <= last; ++i) {
      const double b = i < last ? tableau->b[i] : 0;
      const double first = i == 0 ? 1 : 0;
      const double end = i == last ? 1 : 0;
      const double d = fourth.empty() ? 0 : fourth[i];
      const double bend = 2 * b - first - end;
      beta[i] = theta * (b + rest * (first - b + theta * (bend + rest * d)));
      slope[i] =
          b + (1 - 2 * theta) * (first - b) + theta * (2 - 3 * theta) * bend + 2 * theta * rest * (rest - theta) * d;
    }
  }
};

}  // namespace salvo::integrate
