#pragma once

#include "integrate/explicit_runge_kutta_sweeps.hpp"

namespace salvo::integrate {

// Eq. 9 of docs/mathematics.md for given directions of (x0, p) in place of all of them: each stage is one product of
// the Jacobian with a vector, and no column for a parameter exists.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent_along(int directions, double* T, const double* dp,
                                                   const TangentSink& sink) {
  const compile::Kernel& product = dp == nullptr ? model_.jvp_x : model_.jvp;
  const std::size_t aw = dp == nullptr ? 0 : static_cast<std::size_t>(model_.active) * W;
  direction_.resize(dw_ + aw);
  double* dX = direction_.data();
  if (dp != nullptr) std::copy_n(dp, aw, dX + dw_);

  begin_jumps();
  for (int l = 0; l < launch_.lanes && jumps_; ++l) {
    std::vector<LaneJumps::AlongParameter> along;
    for (int k = 0; k < model_.active && dp != nullptr; ++k)
      along.push_back({0, k, dp[static_cast<std::size_t>(k) * W + l]});
    jumps_->begin_forward(l, directions, std::move(along));
  }
  const auto jumped = [&](int l, int slot, const StepByTime& by_time) {
    jumps_->forward(l, slot, by_time, [&](int c) { return Strided{T + c * dw_ + l, W}; });
  };
  const auto step = [&](const Lanes& t, const Lanes& h) {
    for (int c = 0; c < directions; ++c) {
      double* dx = T + c * dw_;
      for (int i = 0; i < s; ++i) {
        for (std::size_t n = 0; n < dw_; n += W) {
          for (int l = 0; l < W; ++l) {
            double sum = 0;
            for (int j = 0; j < i; ++j) sum += Tableau::a[i][j] * pulled_[j][n + l];
            dX[n + l] = dx[n + l] + h[l] * sum;
          }
        }
        set_time(i, t, h);
        product.template run<W>(
            {.time = time_, .state = stage_[i], .parameter = parameters_.packs(), .seed = dX, .kept = kept_[i]}, work_,
            pulled_[i]);
      }
      for (std::size_t n = 0; n < dw_; n += W) {
        for (int l = 0; l < W; ++l) {
          double sum = 0;
          for (int i = 0; i < s; ++i) sum += Tableau::b[i] * pulled_[i][n + l];
          dx[n + l] += h[l] * sum;
        }
      }
    }
  };
  sweep_forward(
      step, [&](int) { return T; }, sink, jumped);
}

}  // namespace salvo::integrate
