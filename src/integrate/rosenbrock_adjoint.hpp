#pragma once

#include "integrate/rosenbrock_by_time.hpp"
#include "integrate/rosenbrock_recall.hpp"
#include "integrate/work.hpp"

// Backward over recorded steps, the last stage first. With eta_i the derivative by u_i, at first eta_i = m_i lambda+:
//   mu_i = (s M - J)^-T eta_i,   v_i = f_x(X_i)' mu_i,   eta_j += a_ij v_i + c_ij/h M mu_i  (j < i),
//   lambda = lambda+ + sum_i v_i + d/dx Q,   phi_p += sum_i f_p(X_i)' mu_i + d/dp Q,
//   Q(x, p) = sum_i mu_i' J u_i + (sum_i gamma_i h mu_i)' f_t
// Q is linear in the non-zeros of J, so its derivative is one pullback through them, with weights sum_i mu_i u_i'.
namespace salvo::integrate {

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p) {
  const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
  std::fill_n(by_x0, dw_ * scalars, 0.0);
  std::fill_n(by_p, aw * scalars, 0.0);
  const bool by_jacobian = adjoints_share_jacobian(model_, scalars);
  if (switchboards_.any()) {
    jumps_.emplace(model_, launch_, record_, parameters_);
    jumps_->begin_backward(scalars);
  }
  std::array<int, W> ahead{};  // the stop that each lane meets next
  for (int l = 0; l < W; ++l) ahead[l] = static_cast<int>(record_.stop_slot[l].size()) - 1;
  Lanes t{};
  Lanes h{};
  for (int slot = record_.slots - 1; slot >= 0 && !launch_.is_stopped(); --slot) {
    for (int l = 0; l < launch_.lanes; ++l)
      if (ahead[l] >= 0 && record_.stop_slot[l][ahead[l]] == slot + 1) inject(l, ahead[l]--, by_x0);
    if (!recall(slot, t, h)) return;
    jump_before(slot + 1, t, h, by_x0, by_p);
    recall_stages(t, h);
    if (by_jacobian) linearize_stages(t, h);
    for (int c = 0; c < scalars; ++c) pull_back(t, h, by_jacobian, by_x0 + c * dw_, by_p + c * aw);
  }
  for (int l = 0; l < launch_.lanes; ++l)
    if (ahead[l] >= 0 && record_.stop_slot[l][ahead[l]] == 0) inject(l, ahead[l]--, by_x0);
  jump_before(0, t, h, by_x0, by_p);
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::jump_before(int slots, const Lanes& t, const Lanes& h, double* by_x0, double* by_p) {
  const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
  for (int l = 0; l < launch_.lanes && jumps_; ++l) {
    const auto by_time = [&](double dt, double dh, double* out) {
      rosenbrock_step_by_time<Tableau>(model_, jumps_->lane(l), {x_ + l, W}, {t[l], h[l], dt, dh}, out);
    };
    jumps_->backward(l, slots, by_time, [&](int c) {
      return SweptScalar{{by_x0 + c * dw_ + l, W}, {by_p + c * aw + l, W}};
    });
  }
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::pull_back(const Lanes& t, const Lanes& h, bool by_jacobian, double* lambda, double* by_p) {
  Lanes over_h{};
  for (int l = 0; l < W; ++l) over_h[l] = 1 / h[l];
  const Numbers by_h = Numbers::load(over_h.data());
  // v_i of the stages behind is there; eta_i is formed when its turn comes.
  unrolled<0, s>([&](auto from_last) {
    constexpr int i = s - 1 - from_last();
    with_wide_registers<W>([&] {
      for (std::size_t n = 0; n < dw_; n += W) {
        const Numbers above = Numbers::load(lambda + n);
        Numbers eta = i == s - 1 ? above : Tableau::a[s - 1][i] * above;
        Numbers by_c = Numbers::all(0);
        unrolled<i + 1, s>([&](auto j) {
          eta = eta + Tableau::a[j()][i] * Numbers::load(v_[j()] + n);
          by_c = by_c + Tableau::c[j()][i] * Numbers::load(mu_[j()] + n);
        });
        (eta + by_h * by_c).store(step_.side + n);
      }
      for (const int row : model_.algebraic) {
        const std::size_t n = static_cast<std::size_t>(row) * W;
        const Numbers above = Numbers::load(lambda + n);
        Numbers eta = i == s - 1 ? above : Tableau::a[s - 1][i] * above;
        unrolled<i + 1, s>([&](auto j) { eta = eta + Tableau::a[j()][i] * Numbers::load(v_[j()] + n); });
        eta.store(step_.side + n);
      }
    });
    step_.solver.solve_transposed(step_.side, mu_[i]);
    pull_stage(i, t, h, by_jacobian, by_p);
  });
  for (std::size_t n = 0; n < dw_; n += W) {
    Numbers sum = Numbers::load(lambda + n);
    unrolled<0, s>([&](auto i) { sum = sum + Numbers::load(v_[i()] + n); });
    sum.store(lambda + n);
  }
  pull_second(t, h, lambda, by_p);
}

// v_i = f_x(X_i)' mu_i, and f_p(X_i)' mu_i is added to the derivative by p.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::pull_stage(int i, const Lanes& t, const Lanes& h, bool by_jacobian, double* by_p) {
  step_.set_time(i, t, h);
  if (!by_jacobian) {
    if (model_.kept > 0)
      model_.rhs.template run<W>({.time = step_.time, .state = step_.stage[i], .parameter = parameters_.packs()},
                                 step_.work, step_.f_out);
    const compile::Arguments arguments{.time = step_.time,
                                       .state = step_.stage[i],
                                       .parameter = parameters_.packs(),
                                       .seed = mu_[i],
                                       .kept = step_.f_out + dw_};
    model_.vjp.template run<W>(arguments, pull_work_, v_[i]);
    model_.vjp.template add_sums<W>(arguments, pull_work_, {}, 1, by_p);
    return;
  }
  const compile::Lines& columns = model_.columns;
  const double* nonzeros = jacobians_ + i * static_cast<std::size_t>(columns.size()) * W;
  with_wide_registers<W>([&] {
    const auto product = [&](int c) {
      Numbers sum = Numbers::all(0);
      for (int k = columns.start[c]; k < columns.start[c + 1]; ++k)
        sum = sum + Numbers::load(nonzeros + static_cast<std::size_t>(columns.place[k]) * W) *
                        Numbers::load(mu_[i] + static_cast<std::size_t>(columns.across[k]) * W);
      return sum;
    };
    for (int c = 0; c < d_; ++c) product(c).store(v_[i] + static_cast<std::size_t>(c) * W);
    for (int c = 0; c < model_.active; ++c) {
      double* to = by_p + static_cast<std::size_t>(c) * W;
      (Numbers::load(to) + product(d_ + c)).store(to);
    }
  });
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::pull_second(const Lanes& t, const Lanes& h, double* lambda, double* by_p) {
  with_wide_registers<W>([&] {
    for (int k = 0; k < step_.nonzeros; ++k) {
      const std::size_t row = static_cast<std::size_t>(model_.f_x.row[k]) * W;
      const std::size_t column = static_cast<std::size_t>(model_.f_x.column[k]) * W;
      Numbers weight = Numbers::all(0);
      unrolled<0, s>(
          [&](auto i) { weight = weight + Numbers::load(mu_[i()] + row) * Numbers::load(step_.u[i()] + column); });
      weight.store(seed_ + static_cast<std::size_t>(k) * W);
    }
    const Numbers step = Numbers::load(h.data());
    for (std::size_t n = 0; n < dw_ && step_.kernels.uses_time; n += W)
      (step * step_.template weighted_sum<s>(Tableau::gamma_sum, mu_, n))
          .store(seed_ + static_cast<std::size_t>(step_.nonzeros) * W + n);
  });
  const compile::Arguments arguments{.time = t.data(), .state = x_, .parameter = parameters_.packs(), .seed = seed_};
  step_.kernels.second_pull.template run<W>(arguments, step_.work, product_);
  step_.kernels.second_pull.template add_sums<W>(arguments, step_.work, {}, 1, by_p);
  for (std::size_t n = 0; n < dw_; ++n) lambda[n] += product_[n];
}

}  // namespace salvo::integrate
