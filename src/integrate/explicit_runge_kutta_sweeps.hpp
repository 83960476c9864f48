#pragma once

#include "integrate/explicit_runge_kutta.hpp"

// The sweeps over recorded steps, which give the exact derivatives of the numbers that were computed.
namespace salvo::integrate {

// --- stages again, for the sweeps ----------------------------------------------------------------------------------

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::recall_stages(int slot, Lanes& t, Lanes& h) {
  const double* x = record_.x.data() + slot * dw_;
  for (int l = 0; l < W; ++l) {
    t[l] = record_.t[static_cast<std::size_t>(slot) * W + l];
    h[l] = record_.h[static_cast<std::size_t>(slot) * W + l];
  }
  std::copy_n(x, dw_, stage_[0]);
  if (record_.stages_kept) {
    for (int i = 1; i < used; ++i)
      std::copy_n(record_.stage.data() + (static_cast<std::size_t>(slot) * (used - 1) + i - 1) * dw_, dw_, stage_[i]);
    return;
  }
  for (int i = 0; i < used; ++i) {
    if (i > 0) form_stage(i, x, h, stage_[i]);
    set_time(i, t, h);
    eval(stage_[i], k_[i]);
  }
}

// --- tangents ------------------------------------------------------------------------------------------------------
// docs/mathematics.md, eq. 9:
//   T_i = T + h sum_{j<i} a_ij K_j,   K_i = f_x(X_i) T_i + [0 f_p(X_i)],   T+ = T + h sum b_i K_i

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent(const TangentSink& sink) {
  std::fill_n(tangent_, dw_ * columns_, 0.0);
  for (int n = 0; n < d_; ++n) std::fill_n(tangent_ + n * dw_ + n * W, W, 1.0);

  std::array<std::size_t, W> passed{};  // stops behind us
  Lanes t{};
  Lanes h{};
  for (int slot = 0; slot < record_.slots(); ++slot) {
    recall_stages(slot, t, h);
    for (int i = 0; i < used; ++i) {
      set_time(i, t, h);
      model_.jacobian.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p}, work_, nonzeros_);
      form_stage_tangent(i, h);
      multiply_by_jacobian(k_tangent_[i]);
    }
    advance_tangent(slot, h);
    for (int l = 0; l < launch_.lanes; ++l) {
      if (passed[l] == record_.stop_slot[l].size() || record_.stop_slot[l][passed[l]] != slot + 1) continue;
      sink(l, static_cast<int>(passed[l]), tangent_);
      ++passed[l];
    }
  }
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::form_stage_tangent(int i, const Lanes& h) {
  for (std::size_t n = 0; n < dw_ * columns_; n += W) {
    for (int l = 0; l < W; ++l) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += Tableau::a[i][j] * k_tangent_[j][n + l];
      stage_tangent_[n + l] = tangent_[n + l] + h[l] * sum;
    }
  }
}

// K = f_x T_i + [0 f_p]
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::multiply_by_jacobian(double* K) {
  std::fill_n(K, dw_ * columns_, 0.0);
  for (std::size_t c = 0; c < columns_; ++c) {
    for (int z = 0; z < model_.f_x.size(); ++z) {
      double* out = K + c * dw_ + model_.f_x.row[z] * W;
      const double* in = stage_tangent_ + c * dw_ + model_.f_x.column[z] * W;
      for (int l = 0; l < W; ++l) out[l] += nonzeros_[z * W + l] * in[l];
    }
  }
  for (int z = 0; z < model_.f_p.size(); ++z) {
    double* out = K + (d_ + model_.f_p.column[z]) * dw_ + model_.f_p.row[z] * W;
    for (int l = 0; l < W; ++l) out[l] += nonzeros_[(model_.f_x.size() + z) * W + l];
  }
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::advance_tangent(int slot, const Lanes& h) {
  for (std::size_t n = 0; n < dw_ * columns_; n += W) {
    for (int l = 0; l < W; ++l) {
      if (slot >= record_.steps[l]) continue;
      double sum = 0;
      for (int i = 0; i < used; ++i) sum += Tableau::b[i] * k_tangent_[i][n + l];
      tangent_[n + l] += h[l] * sum;
    }
  }
}

// --- adjoint -------------------------------------------------------------------------------------------------------
// The transpose of one step, last stage first (docs/mathematics.md, eq. 10):
//   mu_i = h (b_i lambda+ + sum_{j>i} a_ji v_j),   v_i = f_x(X_i)' mu_i,
//   lambda = lambda+ + sum_i v_i,   phi_p += sum_i f_p(X_i)' mu_i

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p) {
  const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
  double* lambda = by_x0;
  std::fill_n(lambda, dw_ * scalars, 0.0);
  std::fill_n(by_p, aw * scalars, 0.0);
  std::array<int, W> ahead{};  // the stop that each lane meets next
  for (int l = 0; l < W; ++l) ahead[l] = static_cast<int>(record_.stop_slot[l].size()) - 1;

  Lanes t{};
  Lanes h{};
  for (int slot = record_.slots() - 1; slot >= 0; --slot) {
    for (int l = 0; l < launch_.lanes; ++l)
      if (ahead[l] >= 0 && record_.stop_slot[l][ahead[l]] == slot + 1) inject(l, ahead[l]--, lambda);
    recall_stages(slot, t, h);
    for (int c = 0; c < scalars; ++c) pull_back(slot, t, h, lambda + c * dw_, by_p + c * aw);
  }
}

// One scalar over one step.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::pull_back(int slot, const Lanes& t, const Lanes& h, double* lambda, double* by_p) {
  double* mu = x_new_;
  for (int i = used - 1; i >= 0; --i) {
    for (std::size_t n = 0; n < dw_; n += W) {
      for (int l = 0; l < W; ++l) {
        double sum = Tableau::b[i] * lambda[n + l];
        for (int j = i + 1; j < used; ++j) sum += Tableau::a[j][i] * pulled_[j][n + l];
        mu[n + l] = h[l] * sum;
      }
    }
    set_time(i, t, h);
    model_.vjp.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p, .seed = mu}, work_,
                               pulled_[i]);
  }
  const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
  for (int i = 0; i < used; ++i) {
    for (std::size_t n = 0; n < dw_; n += W)
      for (int l = 0; l < W; ++l) lambda[n + l] += slot < record_.steps[l] ? pulled_[i][n + l] : 0.0;
    for (std::size_t n = 0; n < aw; n += W)
      for (int l = 0; l < W; ++l) by_p[n + l] += slot < record_.steps[l] ? pulled_[i][dw_ + n + l] : 0.0;
  }
}

}  // namespace salvo::integrate
