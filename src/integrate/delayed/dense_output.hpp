#pragma once

#include <array>
#include <vector>

#include "compile/step_kernels.hpp"

namespace salvo::integrate {

inline constexpr int most_dense_stages = 8;
using DenseWeights = std::array<double, most_dense_stages>;

// A method of one step with an interpolant:
//   X_i = x_n + h sum_j a_ij k_j,   x_{n+1} = x_n + h sum_j b_j k_j,   x(t_n + theta h) = x_n + h sum_i beta_i(theta)
//   k_i, beta_i = theta (b_i + (1 - theta) (e_i0 + theta (e_i1 + theta e_i2)))
// In an explicit method k_i is f at stage i, and the last stage stands at the end of the step. In a linearly implicit
// one (implicit_step.hpp) h k_i is what is solved for.
struct DenseMethod {
  int count = 0;                                       // of stages
  DenseWeights nodes{};                                // c_i
  DenseWeights end{};                                  // b_i
  DenseWeights error{};                                // h sum_i error_i k_i is the estimate of the error
  std::array<DenseWeights, most_dense_stages> rows{};  // a_ij
  std::array<DenseWeights, 3> bend{};                  // e_i0, e_i1, e_i2
  int order = 5;                                       // discontinuities of this order and above are of no concern
  bool is_implicit = false;

  int stages() const { return count; }
  double node(int i) const { return nodes[i]; }
  const double* row(int i) const { return rows[i].data(); }

  void weights(double theta, DenseWeights& beta) const {
    const double rest = 1 - theta;
    for (int i = 0; i < count; ++i)
      beta[i] = theta * (end[i] + rest * (bend[0][i] + theta * (bend[1][i] + theta * bend[2][i])));
  }
  // The derivatives of beta_i.
  void slopes(double theta, DenseWeights& slope) const {
    const double rest = 1 - theta;
    for (int i = 0; i < count; ++i) {
      const double inner = bend[0][i] + theta * (bend[1][i] + theta * bend[2][i]);
      slope[i] = end[i] + (1 - 2 * theta) * inner + theta * rest * (bend[1][i] + 2 * theta * bend[2][i]);
    }
  }
  // The second ones.
  void curves(double theta, DenseWeights& curve) const {
    const double rest = 1 - theta;
    for (int i = 0; i < count; ++i) {
      const double inner = bend[0][i] + theta * (bend[1][i] + theta * bend[2][i]);
      const double slope = bend[1][i] + 2 * theta * bend[2][i];
      curve[i] = -2 * inner + 2 * (1 - 2 * theta) * slope + 2 * theta * rest * bend[2][i];
    }
  }
};

// An explicit method, whose interpolant is the cubic of Hermite and a part of fourth order where it has one ([HNW93]
// II.6, contd5): its weights for each stage and f at the end, or none.
DenseMethod dense_explicit(const compile::Tableau& tableau, const std::vector<double>& fourth, int order);
// Rodas5P with its interpolant of order 4 ([Steinebach23]).
const DenseMethod& dense_rodas5p();

}  // namespace salvo::integrate
