#pragma once

#include "integrate/jump_sweep.hpp"
#include "integrate/rosenbrock_step.hpp"

namespace salvo::integrate {

// d Phi = Phi_t dt + Phi_h dh of one linearly implicit step:
//   (s M - J) du_i = f_x(X_i) dX_i + f_t(X_i) (dt + alpha_i dh) + M sum_{j<i} (c_ij/h du_j - c_ij/h^2 u_j dh)
//                    + gamma_i f_t dh + (J u_i + gamma_i h f_t)_t dt + M u_i / (gamma h^2) dh
struct MovedStep {
  double t = 0, h = 0;
  double dt = 0, dh = 0;
};
template <class Tableau>
void rosenbrock_step_by_time(const compile::CompiledModel& model, LaneModel& lane, const StridedView& from,
                             const MovedStep& moved, double* out) {
  constexpr int s = Tableau::stages;
  const int d = model.states;
  const auto [t, h, dt, dh] = moved;
  RosenbrockStep<Tableau, 1> step(model, lane.parameters(), 1);
  Places counted(nullptr);
  step.lay_out(counted);
  std::vector<double> room(counted.needed());
  Places places(room.data());
  step.lay_out(places);
  std::vector<double> x(d), dX(d), f_x_dX(d), f_t(d), second(d), side(d), du(static_cast<std::size_t>(s) * d, 0.0);
  for (int n = 0; n < d; ++n) x[n] = from[n];
  step.linearize(x.data(), {t});
  step.run_stages(x.data(), {t}, {h});
  for (int i = 0; i < s; ++i) {
    const double time = t + Tableau::alpha[i] * h;
    const double* X = step.stage[i];
    for (int n = 0; n < d; ++n) {
      dX[n] = side[n] = 0;
      for (int j = 0; j < i; ++j) {
        dX[n] += Tableau::a[i][j] * du[j * d + n];
        side[n] += Tableau::c[i][j] / h * (du[j * d + n] - dh / h * step.u[j][n]);
      }
      side[n] += dh / (Tableau::gamma * h * h) * step.u[i][n];
    }
    for (const int row : model.algebraic) side[row] = 0;
    for (int n = 0; n < d && step.kernels.uses_time; ++n) side[n] += Tableau::gamma_sum[i] * dh * step.f_t()[n];
    lane.f(time, X);
    lane.f_x_times(time, X, dX.data(), f_x_dX.data());
    lane.f_t(time, X, f_t.data());
    if (step.kernels.uses_time) {
      const double weight = Tableau::gamma_sum[i] * h;
      step.kernels.curvature_by_time.template run<1>(
          {.time = &t, .state = x.data(), .parameter = lane.parameters(), .seed = step.u[i], .kept = &weight},
          step.work, second.data());
    }
    for (int n = 0; n < d; ++n) side[n] += f_x_dX[n] + f_t[n] * (dt + Tableau::alpha[i] * dh) + second[n] * dt;
    step.solver.solve(side.data(), du.data() + i * d);
  }
  for (int n = 0; n < d; ++n) {
    out[n] = du[(s - 1) * d + n];
    for (int j = 0; j < s - 1; ++j) out[n] += Tableau::a[s - 1][j] * du[j * d + n];
  }
}

}  // namespace salvo::integrate
