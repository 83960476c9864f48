#pragma once

#include "base/wide_registers.hpp"
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

// --- tangents ------------------------------------------------------------------------------------------------------
// docs/mathematics.md, eq. 9:
//   T_i = T + h sum_{j<i} a_ij K_j,   K_i = f_x(X_i) T_i + [0 f_p(X_i)],   T+ = T + h sum b_i K_i
// A step takes one group of columns after the other: enough of them that loops are long, few enough that what they need
// stays close to the processor.

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent(const TangentSink& sink) {
  std::fill_n(tangent_, dw_ * columns_, 0.0);
  std::vector<Group> groups = column_groups();
  for (const Group& group : groups)
    for (int c = 0; c < group.width && group.first + c < d_; ++c)
      std::fill_n(group.T + ((group.first + c) * group.width + c) * W, W, 1.0);

  std::array<std::size_t, W> passed{};  // stops behind us
  Lanes t{};
  Lanes h{};
  for (int slot = 0; slot < record_.slots(); ++slot) {
    recall_stages(slot, t, h);
    linearize_stages(t, h, Order::rows);
    with_wide_registers<W>([&] {
      for (Group& group : groups) {
        if (!group.reached.is_wide()) group.reached.widen(model_.columns, used);
        if (group.reached.is_wide())
          push_forward(group, h, All{d_});
        else
          push_forward(group, h, Some{group.reached.members()});
      }
    });
    for (int l = 0; l < launch_.lanes; ++l) {
      if (passed[l] == record_.stop_slot[l].size() || record_.stop_slot[l][passed[l]] != slot + 1) continue;
      for (const Group& group : groups) hand_out(group, l);
      sink(l, static_cast<int>(passed[l]), tangent_out_);
      ++passed[l];
    }
  }
}

// What the columns of a group can reach begins with x0_i at its own place, and p_k at the rows of f_p that hold it.
template <class Tableau, int W>
auto ExplicitRungeKutta<Tableau, W>::column_groups() -> std::vector<Group> {
  std::vector<Group> groups;
  const int columns = static_cast<int>(columns_);
  for (int first = 0; first < columns; first += group_width()) {
    const int width = std::min(group_width(), columns - first);
    groups.push_back({.first = first, .width = width, .T = tangent_ + first * dw_, .reached = Support(d_)});
    for (int column = first; column < first + width; ++column) {
      if (column < d_)
        groups.back().reached.add(column);
      else
        groups.back().reached.add_line(model_.columns, column);
    }
  }
  return groups;
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::hand_out(const Group& group, int l) {
  for (int c = 0; c < group.width; ++c)
    for (int i = 0; i < d_; ++i)
      tangent_out_[(i + static_cast<std::size_t>(group.first + c) * d_) * W + l] =
          group.T[(i * group.width + c) * W + l];
}

// One group over one step.
template <class Tableau, int W>
template <class States>
void ExplicitRungeKutta<Tableau, W>::push_forward(const Group& group, const Lanes& h, const States& states) {
  const std::size_t line = static_cast<std::size_t>(group.width) * W;  // numbers of one state
  const compile::Lines& columns = model_.columns;
  std::fill_n(stage_tangent_, d_ * line, 0.0);  // products read what is not among the states
  const Numbers step = Numbers::load(h.data());
  unrolled<0, used>([&](auto i) {
    for (int k = 0; k < states.size(); ++k) {
      const std::size_t from = states[k] * line;
      for (std::size_t n = from; n < from + line; n += W)
        (Numbers::load(group.T + n) + step * weighted_sum<i()>(Tableau::a[i()], k_tangent_, n))
            .store(stage_tangent_ + n);
    }
    double* K = k_tangent_[i()];
    for (int k = 0; k < states.size(); ++k) multiply(states[k], line, nonzeros_[i()], K + states[k] * line);
    for (int c = std::max(0, d_ - group.first); c < group.width; ++c)
      for (int k = columns.start[group.first + c]; k < columns.start[group.first + c + 1]; ++k)
        for (int l = 0; l < W; ++l) K[columns.across[k] * line + c * W + l] += nonzeros_[i()][columns.place[k] * W + l];
  });
  for (int k = 0; k < states.size(); ++k) {
    const std::size_t from = states[k] * line;
    for (std::size_t n = from; n < from + line; n += W)
      (Numbers::load(group.T + n) + step * weighted_sum<used>(Tableau::b, k_tangent_, n)).store(group.T + n);
  }
}

// Row i of f_x times the stage tangents of a group.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::multiply(int i, std::size_t line, const double* nonzeros, double* out) const {
  const int begin = model_.rows.start[i];
  const int end = model_.rows.start[i + 1];
  for (std::size_t n = 0; n < line; n += W) {
    Numbers sum = Numbers::all(0);
    for (int k = begin; k < end; ++k)
      sum = sum + Numbers::load(nonzeros + k * W) * Numbers::load(stage_tangent_ + model_.rows.across[k] * line + n);
    sum.store(out + n);
  }
}

}  // namespace salvo::integrate
