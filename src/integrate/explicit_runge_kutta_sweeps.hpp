#pragma once

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/explicit_runge_kutta.hpp"
#include "integrate/work.hpp"

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
  const bool together = std::all_of(record_.steps.begin(), record_.steps.end(), [&](int n) { return slot < n; });
  const auto recall = [&](const std::vector<double>& numbers, std::size_t block, std::size_t at, std::size_t count,
                          double* to) {
    if (together) {
      std::copy_n(numbers.data() + slot * block + at, count, to);
      return;
    }
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
  unrolled<0, used>([&](auto i) {
    if constexpr (i() > 0) form_stage<i()>(stage_[0], h, stage_[i()]);
    set_time(i(), t, h);
    eval(stage_[i()], k_[i()]);
  });
}

// The Jacobian at every stage of a slot, its non-zeros as the kernel gives them (rows of f_x, then of f_p; lanes side
// by side) or by columns, lane after lane.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::linearize_stages(const Lanes& t, const Lanes& h, Order order) {
  const compile::Lines& columns = model_.columns;
  for (int i = 0; i < used; ++i) {
    set_time(i, t, h);
    double* out = order == Order::rows ? nonzeros_[i] : kernel_output_;
    model_.jacobian.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p}, work_, out);
    if (order == Order::rows) continue;
    const std::size_t size = columns.size();
    for (std::size_t k = 0; k < size; ++k)
      for (int l = 0; l < W; ++l)
        nonzeros_[i][l * size + k] = kernel_output_[static_cast<std::size_t>(columns.place[k]) * W + l];
  }
}

// Line i of M times `in`.
template <int W>
compile::Pack<W> product(const compile::Lines& lines, int i, const double* nonzeros, const double* in) {
  compile::Pack<W> sum = compile::Pack<W>::all(0);
  for (int k = lines.start[i]; k < lines.start[i + 1]; ++k)
    sum = sum + compile::Pack<W>::load(nonzeros + k * W) * compile::Pack<W>::load(in + lines.across[k] * W);
  return sum;
}

// --- tangents ------------------------------------------------------------------------------------------------------
// docs/mathematics.md, eq. 9:
//   T_i = T + h sum_{j<i} a_ij K_j,   K_i = f_x(X_i) T_i + [0 f_p(X_i)],   T+ = T + h sum b_i K_i
// A step takes one column after the other, so that what a column needs stays close to the processor.

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent(const TangentSink& sink) {
  std::fill_n(tangent_, dw_ * columns_, 0.0);
  for (int n = 0; n < d_; ++n) std::fill_n(tangent_ + n * dw_ + n * W, W, 1.0);
  std::vector<Support> reached = tangent_supports();

  std::array<std::size_t, W> passed{};  // stops behind us
  Lanes t{};
  Lanes h{};
  for (int slot = 0; slot < record_.slots(); ++slot) {
    recall_stages(slot, t, h);
    linearize_stages(t, h, Order::rows);
    for (std::size_t column = 0; column < columns_; ++column) {
      if (!reached[column].is_wide()) reached[column].widen(model_.columns, used);
      with_wide_registers([&] {
        if (reached[column].is_wide())
          push_forward(column, h, All{d_});
        else
          push_forward(column, h, Some{reached[column].members()});
      });
    }
    for (int l = 0; l < launch_.lanes; ++l) {
      if (passed[l] == record_.stop_slot[l].size() || record_.stop_slot[l][passed[l]] != slot + 1) continue;
      sink(l, static_cast<int>(passed[l]), tangent_);
      ++passed[l];
    }
  }
}

// Where the columns begin: x0_i at its own place, p_k at the rows of f_p that hold it.
template <class Tableau, int W>
std::vector<Support> ExplicitRungeKutta<Tableau, W>::tangent_supports() const {
  std::vector<Support> supports(columns_, Support(d_));
  for (int i = 0; i < d_; ++i) supports[i].add(i);
  for (std::size_t column = d_; column < columns_; ++column) supports[column].add_line(model_.columns, column);
  return supports;
}

// One column over one step.
template <class Tableau, int W>
template <class States>
void ExplicitRungeKutta<Tableau, W>::push_forward(std::size_t column, const Lanes& h, const States& states) {
  double* T = tangent_ + column * dw_;
  const compile::Lines& columns = model_.columns;
  std::fill_n(stage_tangent_, dw_, 0.0);  // products read what is not among the states
  unrolled<0, used>([&](auto i) {
    for (int c = 0; c < states.size(); ++c) {
      const std::size_t n = static_cast<std::size_t>(states[c]) * W;
      for (int l = 0; l < W; ++l) {
        double sum = 0;
        unrolled<0, i()>([&](auto j) {
          if constexpr (Tableau::a[i()][j()] != 0) sum += Tableau::a[i()][j()] * k_tangent_[j()][n + l];
        });
        stage_tangent_[n + l] = T[n + l] + h[l] * sum;
      }
    }
    double* K = k_tangent_[i()];
    for (int c = 0; c < states.size(); ++c)
      product<W>(model_.rows, states[c], nonzeros_[i()], stage_tangent_).store(K + states[c] * W);
    if (column < static_cast<std::size_t>(d_)) return;
    for (int k = columns.start[column]; k < columns.start[column + 1]; ++k)
      for (int l = 0; l < W; ++l) K[columns.across[k] * W + l] += nonzeros_[i()][columns.place[k] * W + l];
  });
  for (int c = 0; c < states.size(); ++c) {
    const std::size_t n = static_cast<std::size_t>(states[c]) * W;
    for (int l = 0; l < W; ++l) {
      double sum = 0;
      unrolled<0, used>([&](auto i) {
        if constexpr (Tableau::b[i()] != 0) sum += Tableau::b[i()] * k_tangent_[i()][n + l];
      });
      T[n + l] += h[l] * sum;
    }
  }
}

}  // namespace salvo::integrate
