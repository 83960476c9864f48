#pragma once

#include "integrate/bundles.hpp"
#include "integrate/explicit_runge_kutta_sweeps.hpp"

// The transpose of one step, last stage first (docs/mathematics.md, eq. 10):
//   mu_i = h (b_i lambda+ + sum_{j>i} a_ji v_j),   v_i = f_x(X_i)' mu_i,
//   lambda = lambda+ + sum_i v_i,   phi_p += sum_i f_p(X_i)' mu_i
// Many scalars share the Jacobian of a stage; for few, the formulas of its transposed product are cheaper.
namespace salvo::integrate {

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p) {
  std::fill_n(by_x0, dw_ * scalars, 0.0);
  std::fill_n(by_p, static_cast<std::size_t>(model_.active) * W * scalars, 0.0);
  if (has_whole_steps_ && record_.stages_kept && model_.whole.pull.template is_native<W>())
    adjoint_by_whole_steps(scalars, inject, by_x0, by_p);
  else if (adjoints_share_jacobian(model_, scalars))
    adjoint_by_jacobian(scalars, inject, by_x0, by_p);
  else
    adjoint_by_formulas(scalars, inject, by_x0, by_p);
}

// Step after step, the last one first; injected(l) is told where something was added to lambda, and scalar(l, c) is
// where the derivatives of a scalar stand.
template <class Tableau, int W>
template <class Injected, class PullBack, class Scalar>
void ExplicitRungeKutta<Tableau, W>::sweep_back(int scalars, const Injection& inject, double* lambda,
                                                const Injected& injected, const PullBack& pull_back_step,
                                                const Scalar& scalar) {
  begin_jumps();
  if (jumps_) jumps_->begin_backward(scalars);
  std::array<int, W> ahead{};  // the stop that each lane meets next
  for (int l = 0; l < W; ++l) ahead[l] = static_cast<int>(record_.stop_slot[l].size()) - 1;
  Lanes t{};
  Lanes h{};
  const auto jump_before = [&](int slots) {
    bool happened = false;
    for (int l = 0; l < launch_.lanes && jumps_; ++l)
      happened |= jumps_->backward(l, slots, by_time_of_lane(l, t, h), [&](int c) { return scalar(l, c); });
    return happened;
  };
  const auto inject_at = [&](int slots) {
    for (int l = 0; l < launch_.lanes; ++l) {
      if (ahead[l] < 0 || record_.stop_slot[l][ahead[l]] != slots) continue;
      inject(l, ahead[l]--, lambda);
      injected(l);
    }
  };
  for (int slot = record_.slots - 1; slot >= 0 && !launch_.is_stopped(); --slot) {
    inject_at(slot + 1);
    recall_stages(slot, t, h);
    // Stages that are computed again go by the truth values before the jump.
    if (jump_before(slot + 1) && !record_.stages_kept) recall_stages(slot, t, h);
    pull_back_step(t, h);
  }
  inject_at(0);
  jump_before(0);
}

// (lambda, g) by one formula.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::adjoint_by_whole_steps(int scalars, const Injection& inject, double* by_x0,
                                                            double* by_p) {
  const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
  const auto nothing_to_note = [](int) {};
  const auto back = [&](const Lanes& t, const Lanes& h) {
    std::copy_n(h.data(), W, covector_);
    for (int c = 0; c < scalars; ++c) {
      double* lambda = by_x0 + c * dw_;
      double* g = by_p + c * aw;
      std::copy_n(g, aw, std::copy_n(lambda, dw_, covector_ + W));
      model_.whole.pull.template run<W>({.time = t.data(),
                                         .state = stage_[0],
                                         .parameter = parameters_.packs(),
                                         .seed = covector_,
                                         .kept = stage_[1]},
                                        work_, covector_out_);
      std::copy_n(covector_out_, dw_, lambda);
      std::copy_n(covector_out_ + dw_, aw, g);
    }
  };
  sweep_back(scalars, inject, by_x0, nothing_to_note, back, [](int, int) { return SweptScalar{}; });
}

// One scalar after the other, all lanes at once. For a lane that takes no step, h is zero and so is everything that is
// added.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::adjoint_by_formulas(int scalars, const Injection& inject, double* by_x0,
                                                         double* by_p) {
  static_assert(s > 1);
  const auto arguments = [&](int i) {
    return compile::Arguments{
        .time = time_ + i * W, .state = stage_[i], .parameter = parameters_.packs(), .seed = mu_[i], .kept = kept_[i]};
  };
  const auto stride = [](const auto& arrays) { return static_cast<std::size_t>(arrays[1] - arrays[0]); };
  const std::size_t aw = static_cast<std::size_t>(model_.active) * W;
  const auto nothing_to_note = [](int) {};
  const auto back = [&](const Lanes& t, const Lanes& h) {
    for (int c = 0; c < scalars; ++c) {
      with_wide_registers<W>([&] {
        pull_back<W>(h, by_x0 + c * dw_, mu_, All{d_}, [&](int i, const double*, double* v) {
          for (int l = 0; l < W; ++l) time_[i * W + l] = t[l] + Tableau::c[i] * h[l];
          model_.vjp.template run<W>(arguments(i), pull_work_ + i * pull_work_size_, v);
        });
      });
      const compile::Strides strides{
          .time = W, .state = stride(stage_), .seed = stride(mu_), .kept = stride(kept_), .work = pull_work_size_};
      model_.vjp.template add_sums<W>(arguments(0), pull_work_, strides, s, by_p + c * aw);
    }
  };
  sweep_back(scalars, inject, by_x0, nothing_to_note, back, [&](int l, int c) {
    return SweptScalar{{by_x0 + c * dw_ + l, W}, {by_p + c * aw + l, W}};
  });
}

// Lane after lane, a bundle of scalars at once.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::adjoint_by_jacobian(int scalars, const Injection& inject, double* by_x0,
                                                         double* by_p) {
  Bundles bundles({.lanes = launch_.lanes, .scalars = scalars, .states = d_, .parameters = model_.active}, bundles_);
  const auto take = [&](int l) { bundles.take(l, W, by_x0); };
  const auto back = [&](const Lanes& t, const Lanes& h) {
    linearize_stages(t, h, Order::columns);
    for (int l = 0; l < launch_.lanes; ++l)
      for (int b = 0; b < bundles.count() && h[l] != 0; ++b) pull_back_bundle(l, h[l], bundles.of(l, b));
  };
  sweep_back(scalars, inject, by_x0, take, back, [&](int l, int c) {
    const Bundle bundle = bundles.of(l, c / bundled);
    for (int i = 0; i < d_; ++i) bundle.reached.add(i);
    return SweptScalar{{bundle.by_x + c % bundled, bundled}, {bundle.by_p + c % bundled, bundled}};
  });
  for (int l = 0; l < launch_.lanes; ++l) bundles.give(l, W, by_x0, by_p);
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::pull_back_bundle(int lane, double h, Bundle bundle) {
  const compile::Lines& columns = model_.columns;
  std::array<double, bundled> h_of_all{};
  h_of_all.fill(h);
  PerStage mu_of_all{};
  mu_of_all.fill(mu_[0]);
  const auto pull_back_over = [&](const auto& states, const auto& parameters) {
    with_wide_registers([&] {
      pull_back<bundled>(h_of_all, bundle.by_x, mu_of_all, states, [&](int i, const double* mu, double* v) {
        const double* nonzeros = nonzeros_[i] + static_cast<std::size_t>(lane) * columns.size();
        for (int c = 0; c < states.size(); ++c)
          bundle_product(columns, states[c], nonzeros, mu).store(v + states[c] * bundled);
        for (int c = 0; c < parameters.size(); ++c) {
          double* sum = bundle.by_p + static_cast<std::size_t>(parameters[c]) * bundled;
          (Bundle::Numbers::load(sum) + bundle_product(columns, d_ + parameters[c], nonzeros, mu)).store(sum);
        }
      });
    });
  };
  if (!bundle.reached.is_wide()) bundle.reached.widen(model_.rows, s);
  if (bundle.reached.is_wide()) {
    pull_back_over(All{d_}, All{model_.active});
    return;
  }
  Support parameters(model_.active);
  for (const int state : bundle.reached.members()) parameters.add_line(model_.parameter_rows, state);
  std::fill_n(mu_[0], static_cast<std::size_t>(d_) * bundled, 0.0);  // products read what is not among the states
  pull_back_over(Some{bundle.reached.members()}, Some{parameters.members()});
}

// V numbers at each state over one step; transposed_product(i, mu, v) sets v = f_x' mu at stage i and adds f_p' mu to
// the derivative by p.
template <class Tableau, int W>
template <int V, class States, class TransposedProduct>
void ExplicitRungeKutta<Tableau, W>::pull_back(const std::array<double, V>& h, double* lambda, const PerStage& mu,
                                               const States& states, const TransposedProduct& transposed_product) {
  using Side = compile::Pack<V>;
  const Side step = Side::load(h.data());
  unrolled<0, s>([&](auto from_last) {
    constexpr int i = s - 1 - from_last();
    for (int c = 0; c < states.size(); ++c) {
      const std::size_t n = static_cast<std::size_t>(states[c]) * V;
      Side sum = Side::all(Tableau::b[i]) * Side::load(lambda + n);
      unrolled<i + 1, s>([&](auto j) {
        if constexpr (Tableau::a[j()][i] != 0) sum = sum + Side::all(Tableau::a[j()][i]) * Side::load(pulled_[j()] + n);
      });
      (step * sum).store(mu[i] + n);
    }
    transposed_product(i, mu[i], pulled_[i]);
  });
  for (int c = 0; c < states.size(); ++c) {
    const std::size_t n = static_cast<std::size_t>(states[c]) * V;
    Side sum = Side::load(lambda + n);
    unrolled<0, s>([&](auto i) { sum = sum + Side::load(pulled_[i()] + n); });
    sum.store(lambda + n);
  }
}

}  // namespace salvo::integrate
