#pragma once

#include "integrate/rosenbrock.hpp"

// Recorded steps again, for the sweep back over them.
namespace salvo::integrate {

// A lane that has ended stands still at a step of its own; one that never began borrows another's. False if there is
// none.
template <class Tableau, int W>
bool Rosenbrock<Tableau, W>::recall(int slot, Lanes& t, Lanes& h) {
  if (record_.slots == 0) return false;
  if (!keeps_all_x() && segment_ != slot / record_.x_every) repeat_steps(slot / record_.x_every);
  for (int l = 0; l < W; ++l) recall_lane(slot, l, t, h);
  return true;
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::recall_stages(const Lanes& t, const Lanes& h) {
  step_.linearize(x_, t);
  if (record_.stages_kept) {
    step_.factorize(h);
    step_.form_stages(x_);
  } else {
    step_.run_stages(x_, t, h);
  }
}

// The truth values that the lanes' steps in this slot went by.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::set_frozen_of(int slot) {
  for (int l = 0; l < launch_.lanes && switchboards_.any(); ++l)
    parameters_.set_frozen(l, frozen_in_slot(record_.jumps[l], record_.frozen[l], slot));
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
    for (std::size_t n = 0; n < dw_; n += W) step_.u[i][n + l] = record_.stage[(own * s + i) * dw_ + n + lane];
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
    set_frozen_of(slot);
    step_.linearize(x_, t);
    step_.run_stages(x_, t, h);
    double* end = between_.data() + (slot + 1 - first) * dw_;
    step_.write_end(end);
    for (int l = 0; l < launch_.lanes && switchboards_.any(); ++l) {
      const Jump* jump = last_jump_before(record_.jumps[l], slot + 1);
      for (int i = 0; jump != nullptr && jump->slot == slot + 1 && i < d_; ++i) end[i * W + l] = jump->after[i];
    }
  }
  set_frozen_of(std::min(first + every, record_.slots) - 1);
}

// Non-zeros of [f_x f_p] at every stage.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::linearize_stages(const Lanes& t, const Lanes& h) {
  const std::size_t all = static_cast<std::size_t>(model_.columns.size()) * W;
  for (int i = 0; i < s; ++i) {
    step_.set_time(i, t, h);
    model_.jacobian.template run<W>({.time = step_.time, .state = step_.stage[i], .parameter = parameters_.packs()},
                                    step_.work, jacobians_ + i * all);
  }
}

}  // namespace salvo::integrate
