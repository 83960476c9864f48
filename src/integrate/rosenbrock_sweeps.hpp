#pragma once

#include "integrate/rosenbrock.hpp"

// Forward over recorded steps. J depends on x and p, so second derivatives of f belong to the derivative of a step:
//   (s I - J) du_i = f_x(X_i) dX_i + f_p(X_i) dp + sum_{j<i} c_ij/h du_j + dJ u_i + gamma_i h df_t
namespace salvo::integrate {

// A lane that has ended stands still at a step of its own; one that never began borrows another's. False if there is
// none.
template <class Tableau, int W>
bool Rosenbrock<Tableau, W>::recall(int slot, Lanes& t, Lanes& h) {
  if (record_.slots == 0) return false;
  if (!keeps_all_x() && segment_ != slot / record_.x_every) repeat_steps(slot / record_.x_every);
  for (int l = 0; l < W; ++l) recall_lane(slot, l, t, h);
  linearize(x_, t);
  if (record_.stages_kept) {
    factorize(h);
    unrolled<0, s>([&](auto i) { form_stage<i()>(x_, stage_[i()]); });
  } else {
    run_stages(x_, t, h);
  }
  return true;
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::recall_lane(int slot, int l, Lanes& t, Lanes& h) {
  int lane = l;
  for (int other = 0; record_.steps[lane] == 0; ++other) lane = other;
  const int every = record_.x_every;
  const bool has_ended = slot >= record_.steps[lane];
  const auto own = static_cast<std::size_t>(has_ended ? (record_.steps[lane] - 1) / every * every : slot);
  const double* x = own % every == 0 ? record_.x.data() + own / every * dw_ : between_.data() + own % every * dw_;
  t[l] = record_.t[own * W + lane];
  h[l] = record_.h[own * W + lane];
  for (std::size_t n = 0; n < dw_; n += W) x_[n + l] = x[n + lane];
  for (int i = 0; i < s && record_.stages_kept; ++i)
    for (std::size_t n = 0; n < dw_; n += W) u_[i][n + l] = record_.stage[(own * s + i) * dw_ + n + lane];
}

// The steps from one state that was kept to the next.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::repeat_steps(int segment) {
  segment_ = segment;
  const int every = record_.x_every;
  between_.resize(every * dw_);
  Lanes t{};
  Lanes h{};
  const int first = segment * every;
  for (int slot = first; slot + 1 < std::min(first + every, record_.slots); ++slot) {
    for (int l = 0; l < W; ++l) recall_lane(slot, l, t, h);
    linearize(x_, t);
    run_stages(x_, t, h);
    double* next = between_.data() + (slot + 1 - first) * dw_;
    for (std::size_t n = 0; n < dw_; ++n) next[n] = stage_[s - 1][n] + u_[s - 1][n];
  }
}

// Non-zeros of [f_x f_p] at every stage.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::linearize_stages(const Lanes& t, const Lanes& h) {
  const std::size_t all = static_cast<std::size_t>(model_.columns.size()) * W;
  for (int i = 0; i < s; ++i) {
    set_time(i, t, h);
    model_.jacobian.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p}, work_,
                                    jacobians_ + i * all);
  }
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::multiply_f_x(const double* nonzeros, const double* v, double* out) const {
  const compile::Lines& rows = model_.rows;
  with_wide_registers<W>([&] {
    for (int i = 0; i < d_; ++i) {
      Numbers sum = Numbers::all(0);
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
        sum = sum + Numbers::load(nonzeros + static_cast<std::size_t>(rows.place[k]) * W) *
                        Numbers::load(v + static_cast<std::size_t>(rows.across[k]) * W);
      sum.store(out + static_cast<std::size_t>(i) * W);
    }
  });
}

// f_p dp at a stage, for a direction dp or, without one, for parameter `unit` alone (none if it is negative).
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::add_f_p(int stage, const double* dp, int unit, double* to) const {
  const compile::Lines& columns = model_.columns;
  const double* nonzeros = jacobians_ + stage * static_cast<std::size_t>(columns.size()) * W;
  const int first = dp != nullptr ? 0 : std::max(unit, 0);
  const int last = dp != nullptr ? model_.active : unit + 1;
  for (int c = first; c < last; ++c) {
    for (int k = columns.start[d_ + c]; k < columns.start[d_ + c + 1]; ++k) {
      const double* from = nonzeros + static_cast<std::size_t>(columns.place[k]) * W;
      double* sum = to + static_cast<std::size_t>(columns.across[k]) * W;
      for (int l = 0; l < W; ++l) sum[l] += from[l] * (dp != nullptr ? dp[static_cast<std::size_t>(c) * W + l] : 1.0);
    }
  }
}

// One direction (dx, dp) over one step, whose stages have been linearised.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::push_forward(const Lanes& h, const Lanes& t, double* dx, const double* dp, int unit) {
  const bool moves_p = dp != nullptr || unit >= 0;
  std::copy_n(dx, dw_, seed_);
  if (moves_p) {
    const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
    std::fill_n(seed_ + dw_, aw, 0.0);
    if (dp != nullptr)
      std::copy_n(dp, aw, seed_ + dw_);
    else
      std::fill_n(seed_ + dw_ + static_cast<std::size_t>(unit) * W, W, 1.0);
  }
  const compile::Kernel& second = moves_p ? kernels_.second_push : kernels_.second_push_x;
  second.template run<W>({.time = t.data(), .state = x_, .parameter = launch_.p, .seed = seed_}, work_, second_);
  const double* change_of_f_t = second_ + static_cast<std::size_t>(nonzeros_count_) * W;

  const std::size_t all = static_cast<std::size_t>(model_.columns.size()) * W;
  Lanes over_h{};
  for (int l = 0; l < W; ++l) over_h[l] = 1 / h[l];
  const Numbers by_h = Numbers::load(over_h.data());
  const Numbers step = Numbers::load(h.data());
  unrolled<0, s>([&](auto i) {
    for (std::size_t n = 0; n < dw_; n += W)
      (Numbers::load(dx + n) + weighted_sum<i()>(Tableau::a[i()], du_, n)).store(product_ + n);
    multiply_f_x(jacobians_ + i() * all, product_, side_);
    if (moves_p) add_f_p(i(), dp, unit, side_);
    multiply_f_x(second_, u_[i()], product_);
    with_wide_registers<W>([&] {
      for (std::size_t n = 0; n < dw_; n += W) {
        Numbers sum =
            Numbers::load(side_ + n) + Numbers::load(product_ + n) + by_h * weighted_sum<i()>(Tableau::c[i()], du_, n);
        if (Tableau::gamma_sum[i()] != 0 && kernels_.uses_time)
          sum = sum + Tableau::gamma_sum[i()] * step * Numbers::load(change_of_f_t + n);
        sum.store(side_ + n);
      }
    });
    solver_.solve(side_, du_[i()]);
  });
  for (std::size_t n = 0; n < dw_; n += W)
    (Numbers::load(dx + n) + weighted_sum<s - 1>(Tableau::a[s - 1], du_, n) + Numbers::load(du_[s - 1] + n))
        .store(dx + n);
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::pass_stops(int slot, std::array<std::size_t, W>& passed, const TangentSink& sink,
                                        const double* T) const {
  for (int l = 0; l < launch_.lanes; ++l) {
    if (passed[l] == record_.stop_slot[l].size() || record_.stop_slot[l][passed[l]] != slot + 1) continue;
    sink(l, static_cast<int>(passed[l]), T);
    ++passed[l];
  }
}

// The columns of T over all steps; push(c, t, h) takes one of them over one step.
template <class Tableau, int W>
template <class Push>
void Rosenbrock<Tableau, W>::sweep_forward(int columns, const double* T, const TangentSink& sink, const Push& push) {
  std::array<std::size_t, W> passed{};
  Lanes t{};
  Lanes h{};
  for (int slot = 0; slot < record_.slots; ++slot) {
    if (!recall(slot, t, h)) return;
    linearize_stages(t, h);
    for (int c = 0; c < columns; ++c) push(c, t, h);
    pass_stops(slot, passed, sink, T);
  }
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::tangent(const TangentSink& sink) {
  const int columns = d_ + model_.active;
  std::fill_n(tangents_, dw_ * columns, 0.0);
  for (int i = 0; i < d_; ++i) std::fill_n(tangents_ + i * dw_ + static_cast<std::size_t>(i) * W, W, 1.0);
  sweep_forward(columns, tangents_, sink, [&](int c, const Lanes& t, const Lanes& h) {
    push_forward(h, t, tangents_ + c * dw_, nullptr, c - d_);
  });
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::tangent_along(int directions, double* T, const double* dp, const TangentSink& sink) {
  sweep_forward(directions, T, sink,
                [&](int c, const Lanes& t, const Lanes& h) { push_forward(h, t, T + c * dw_, dp, -1); });
}

}  // namespace salvo::integrate
