#pragma once

#include <vector>

#include "integrate/lane_solver.hpp"
#include "integrate/rodas5p_tableau.hpp"

namespace salvo::integrate {

// The linear equations of one linearly implicit step of a trajectory that looks into its own past. With h k_i in the
// place of the u_i of rosenbrock_step.hpp,
//   (M/gamma - h J) k_i = f(X_i, s_i, Z_i) + M sum_{j<i} c_ij k_j + gamma_i h f_T,   s_i = t_n + alpha_i h,
//   J = f_x and f_T = f_t + f_z dz/dt where the step begins; dz/dt is the slope of the interpolant.
class ImplicitStep {
 public:
  using Tableau = Rodas5pTableau;

  explicit ImplicitStep(const compile::CompiledModel& model)
      : model_(model), solver_(model, model.stiff->kernels(), 1), room_(solver_.scratch_size()), found_(model.states) {
    solver_.place(room_.data());
    is_differential_.assign(static_cast<std::size_t>(model.states), 1);
    for (const int state : model.algebraic) is_differential_[static_cast<std::size_t>(state)] = 0;
  }

  // From the non-zeros of f_x where a step of this length begins.
  void factorize(const double* f_x, double h) {
    h_ = h;
    solver_.factorize(f_x, {1 / (Tableau::gamma * h)});
  }
  // (M/gamma - h J)^-1 or its transpose, in the place of the right-hand side.
  void solve(double* side) {
    solver_.solve(side, found_.data());
    for (std::size_t n = 0; n < found_.size(); ++n) side[n] = found_[n] / h_;
  }
  void solve_transposed(double* side) {
    solver_.solve_transposed(side, found_.data());
    for (std::size_t n = 0; n < found_.size(); ++n) side[n] = found_[n] / h_;
  }
  // Is its row of M that of the identity, and not zero?
  bool is_differential(int state) const { return is_differential_[static_cast<std::size_t>(state)] != 0; }

 private:
  const compile::CompiledModel& model_;
  LaneSolver<1> solver_;
  std::vector<double> room_, found_;
  std::vector<char> is_differential_{};
  double h_ = 0;
};

}  // namespace salvo::integrate
