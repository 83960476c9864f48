#pragma once

#include "integrate/explicit_runge_kutta.hpp"

// The sweeps over recorded steps, which give the exact derivatives of the numbers that were computed.
namespace salvo::integrate {

// --- stages again, for the sweeps ----------------------------------------------------------------------------------

// A lane that has ended stands still at the numbers of its last step, with h = 0; one that never began borrows those of
// the first lane.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::recall_stages(int slot, Lanes& t, Lanes& h) {
  std::array<std::size_t, W> from{};  // where each lane's numbers are, in packs times W
  for (int l = 0; l < W; ++l) {
    const int lane = record_.steps[l] > 0 ? l : 0;
    const int own_slot = std::min(slot, record_.steps[lane] - 1);
    from[l] = static_cast<std::size_t>(own_slot) * W + lane;
    t[l] = record_.t[from[l]];
    h[l] = slot < record_.steps[l] ? record_.h[from[l]] : 0.0;
  }
  const auto recall = [&](const std::vector<double>& numbers, std::size_t block, std::size_t at, std::size_t count,
                          double* to) {
    for (int l = 0; l < W; ++l) {
      const double* source = numbers.data() + from[l] / W * block + at + from[l] % W;
      for (std::size_t n = 0; n < count; n += W) to[n + l] = source[n];
    }
  };
  recall(record_.x, dw_, 0, dw_, stage_[0]);
  if (record_.stages_kept) {
    for (int i = 1; i < used; ++i) recall(record_.stage, (used - 1) * dw_, (i - 1) * dw_, dw_, stage_[i]);
    for (int i = 0; i < used; ++i) recall(record_.kept, used * kw_, i * kw_, kw_, k_[i] + dw_);
    return;
  }
  for (int i = 0; i < used; ++i) {
    if (i > 0) form_stage(i, stage_[0], h, stage_[i]);
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
    for (int c = 0; c < scalars; ++c) pull_back(t, h, lambda + c * dw_, by_p + c * aw);
  }
}

// One scalar over one step. For a lane that has ended, h is zero and so is everything that is added.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::pull_back(const Lanes& t, const Lanes& h, double* lambda, double* by_p) {
  const auto arguments = [&](int i) {
    return compile::Arguments{
        .time = time_ + i * W, .state = stage_[i], .parameter = launch_.p, .seed = mu_[i], .kept = k_[i] + dw_};
  };
  for (int i = used - 1; i >= 0; --i) {
    for (std::size_t n = 0; n < dw_; n += W) {
      for (int l = 0; l < W; ++l) {
        double sum = Tableau::b[i] * lambda[n + l];
        for (int j = i + 1; j < used; ++j) sum += Tableau::a[j][i] * pulled_[j][n + l];
        mu_[i][n + l] = h[l] * sum;
      }
    }
    for (int l = 0; l < W; ++l) time_[i * W + l] = t[l] + Tableau::c[i] * h[l];
    model_.vjp.template run<W>(arguments(i), pull_work_ + i * pull_work_size_, pulled_[i]);
  }
  const compile::Strides strides{.time = W, .state = dw_, .seed = dw_, .kept = dw_ + kw_, .work = pull_work_size_};
  model_.vjp.template add_sums<W>(arguments(0), pull_work_, strides, used, by_p);
  for (int i = 0; i < used; ++i)
    for (std::size_t n = 0; n < dw_; ++n) lambda[n] += pulled_[i][n];
}

}  // namespace salvo::integrate
