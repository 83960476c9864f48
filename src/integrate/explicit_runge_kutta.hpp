#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/contract.hpp"
#include "integrate/integrator.hpp"

// What the explicit Runge-Kutta methods share ([HNW93] II.1, II.4):
//   X_i = x + h sum_{j<i} a_ij k_j,   k_i = f(X_i, t + c_i h, p),   x+ = x + h sum_i b_i k_i
// A Tableau gives `stages`, c, a, b, `contributing` (the stages whose b is not zero) and, if adaptive, `error` (b minus
// the embedded weights). Methods whose last stage is the first of the next step say `first_same_as_last`. A StepRule
// chooses and judges the steps of one lane.
namespace salvo::integrate {

template <class Tableau, int W>
class ExplicitRungeKutta {
 public:
  ExplicitRungeKutta(const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record, Scratch& scratch)
      : model_(model), launch_(launch), record_(record), d_(model.states), dw_(static_cast<std::size_t>(d_) * W) {
    const std::size_t columns = d_ + model.active;
    const std::size_t work = static_cast<std::size_t>(model.largest_work()) * W;
    const std::size_t nonzeros = static_cast<std::size_t>(model.f_x.size() + model.f_p.size()) * W;
    const std::size_t pulled = dw_ + static_cast<std::size_t>(model.active) * W;
    double* next = scratch.take(work + dw_ * (2 + 2 * s) + W + dw_ * columns * (s + 2) + nonzeros + pulled * s);
    const auto give = [&next](std::size_t count) { return std::exchange(next, next + count); };
    work_ = give(work);
    x_ = give(dw_);
    x_new_ = give(dw_);
    for (double*& k : k_) k = give(dw_);
    for (double*& stage : stage_) stage = give(dw_);
    time_ = give(W);
    for (double*& kt : k_tangent_) kt = give(dw_ * columns);
    tangent_ = give(dw_ * columns);
    stage_tangent_ = give(dw_ * columns);
    nonzeros_ = give(nonzeros);
    for (double*& v : pulled_) v = give(pulled);
  }

  template <class StepRule>
  void integrate(const StepRule& rule);
  void tangent(const TangentSink& sink);
  void adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p);

  // f one Euler step of length h ahead of the launch, for step rules that want to know how fast f changes.
  const double* look_ahead(const std::array<double, W>& h) {
    for (std::size_t n = 0; n < dw_; n += W)
      for (int l = 0; l < W; ++l) stage_[1][n + l] = x_[n + l] + h[l] * k_[0][n + l];
    for (int l = 0; l < W; ++l) time_[l] = launch_.begin[l] + h[l];
    eval(stage_[1], k_[1]);
    return k_[1];
  }

 private:
  static constexpr int s = Tableau::stages;
  static constexpr int used = Tableau::contributing;  // stages that x+ depends on
  using Lanes = std::array<double, W>;

  void eval(const double* state, double* out) {
    model_.rhs.template run<W>({.time = time_, .state = state, .parameter = launch_.p}, work_, out);
  }
  // X_i = x + h sum a_ij k_j
  void form_stage(int i, const double* x, const Lanes& h, double* out) const {
    for (int n = 0; n < d_; ++n) {
      for (int l = 0; l < W; ++l) {
        double sum = 0;
        for (int j = 0; j < i; ++j) sum += Tableau::a[i][j] * k_[j][n * W + l];
        out[n * W + l] = x[n * W + l] + h[l] * sum;
      }
    }
  }
  void set_time(int i, const Lanes& t, const Lanes& h) {
    for (int l = 0; l < W; ++l) time_[l] = t[l] + Tableau::c[i] * h[l];
  }
  void keep_step(int l, double t, double h);
  bool pass_stop(int l, const double* x);
  // Brings X_i of a slot into stage_[i], from the record or by computing it again.
  void recall_stages(int slot, Lanes& t, Lanes& h);
  void fail(int l, Outcome outcome, double time, int state) {
    record_.ending[l] = {.outcome = outcome, .time = time, .state = state};
  }

  const compile::CompiledModel& model_;
  const Launch<W>& launch_;
  Record<W>& record_;
  int d_;
  std::size_t dw_;
  double* work_;
  double *x_, *x_new_;
  std::array<double*, Tableau::stages> k_{};
  std::array<double*, Tableau::stages> stage_{};
  double* time_;
  std::array<double*, Tableau::stages> k_tangent_{};
  double *tangent_, *stage_tangent_, *nonzeros_;
  std::array<double*, Tableau::stages> pulled_{};
};

// --- keeping steps -------------------------------------------------------------------------------------------------

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::keep_step(int l, double t, double h) {
  const std::size_t slot = record_.steps[l]++;
  if (record_.t.size() < (slot + 1) * W) {
    record_.t.resize((slot + 1) * W);
    record_.h.resize((slot + 1) * W);
    record_.x.resize((slot + 1) * dw_);
    if (record_.stages_kept && (slot + 1) * (used - 1) * dw_ * sizeof(double) > record_.stage_budget) {
      record_.stages_kept = false;
      record_.stage.clear();
      record_.stage.shrink_to_fit();
    }
  }
  record_.t[slot * W + l] = t;
  record_.h[slot * W + l] = h;
  for (int n = 0; n < d_; ++n) record_.x[slot * dw_ + n * W + l] = x_[n * W + l];
  if (!record_.stages_kept) return;
  const std::size_t block = (used - 1) * dw_;
  if (record_.stage.size() < (slot + 1) * block) record_.stage.resize((slot + 1) * block);
  for (int i = 1; i < used; ++i)
    for (int n = 0; n < d_; ++n) record_.stage[slot * block + (i - 1) * dw_ + n * W + l] = stage_[i][n * W + l];
}

// Notes the state at a stop; true if it was the last one.
template <class Tableau, int W>
bool ExplicitRungeKutta<Tableau, W>::pass_stop(int l, const double* x) {
  record_.stop_slot[l].push_back(record_.steps[l]);
  for (int n = 0; n < d_; ++n) record_.x_stop[l].push_back(x[n * W + l]);
  return record_.stop_slot[l].size() == launch_.stops[l].size();
}

// --- forward -------------------------------------------------------------------------------------------------------

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::integrate(const StepRule& rule) {
  record_.states = d_;
  record_.stages = s;
  record_.stages_kept = true;
  record_.rhs = 0;
  Lanes t = launch_.begin;
  Lanes h{};
  std::array<bool, W> active{};
  std::array<int, W> attempts{};
  std::array<typename StepRule::Memory, W> memory{};
  std::copy_n(launch_.x0, dw_, x_);
  for (int l = 0; l < W; ++l) {
    active[l] = l < launch_.lanes;
    record_.steps[l] = 0;
    record_.ending[l] = {};
    record_.stop_slot[l].clear();
    record_.x_stop[l].clear();
  }
  set_time(0, t, h);
  eval(x_, k_[0]);
  rule.begin(*this, launch_, d_, x_, k_[0], memory);
  record_.rhs += launch_.lanes;

  while (std::find(active.begin(), active.end(), true) != active.end()) {
    for (int l = 0; l < W; ++l) {
      h[l] = active[l] ? rule.next_step(memory[l], t[l], launch_.stops[l][record_.stop_slot[l].size()]) : 0.0;
    }
    for (int i = 1; i < s; ++i) {
      form_stage(i, x_, h, stage_[i]);
      set_time(i, t, h);
      eval(stage_[i], k_[i]);
    }
    if constexpr (!Tableau::first_same_as_last) {
      for (int n = 0; n < d_; ++n) {
        for (int l = 0; l < W; ++l) {
          double sum = 0;
          for (int i = 0; i < s; ++i) sum += Tableau::b[i] * k_[i][n * W + l];
          x_new_[n * W + l] = x_[n * W + l] + h[l] * sum;
        }
      }
    } else {
      std::copy_n(stage_[s - 1], dw_, x_new_);  // the last stage stands at x+
    }

    for (int l = 0; l < W; ++l) {
      if (!active[l]) continue;
      record_.rhs += Tableau::first_same_as_last ? s - 1 : s;
      const auto verdict = rule.template judge<s, W>(memory[l], l, d_, t[l], h[l], x_, x_new_, k_);
      if (verdict.failed) {
        fail(l, verdict.outcome, t[l], verdict.state);
        active[l] = false;
        continue;
      }
      if (++attempts[l] > launch_.max_steps) {
        fail(l, Outcome::too_many_steps, t[l], verdict.state);
        active[l] = false;
        continue;
      }
      if (!verdict.accepted) continue;
      keep_step(l, t[l], h[l]);
      const double stop = launch_.stops[l][record_.stop_slot[l].size()];
      const bool at_stop = rule.reaches_stop(memory[l]);
      t[l] = at_stop ? stop : t[l] + h[l];
      for (int n = 0; n < d_; ++n) {
        x_[n * W + l] = x_new_[n * W + l];
        if constexpr (Tableau::first_same_as_last) k_[0][n * W + l] = k_[s - 1][n * W + l];
      }
      if (at_stop && pass_stop(l, x_)) active[l] = false;
    }
    if constexpr (!Tableau::first_same_as_last) {
      const Lanes none{};
      set_time(0, t, none);
      eval(x_, k_[0]);
    }
  }
}

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
  const int columns = d_ + model_.active;
  const std::size_t size = dw_ * columns;
  std::fill_n(tangent_, size, 0.0);
  for (int n = 0; n < d_; ++n) std::fill_n(tangent_ + n * dw_ + n * W, W, 1.0);

  std::array<std::size_t, W> next_stop{};
  Lanes t{};
  Lanes h{};
  for (int slot = 0; slot < record_.slots(); ++slot) {
    recall_stages(slot, t, h);
    for (int i = 0; i < used; ++i) {
      set_time(i, t, h);
      model_.jacobian.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p}, work_, nonzeros_);
      for (std::size_t n = 0; n < size; n += W) {
        for (int l = 0; l < W; ++l) {
          double sum = 0;
          for (int j = 0; j < i; ++j) sum += Tableau::a[i][j] * k_tangent_[j][n + l];
          stage_tangent_[n + l] = tangent_[n + l] + h[l] * sum;
        }
      }
      double* K = k_tangent_[i];
      std::fill_n(K, size, 0.0);
      for (int c = 0; c < columns; ++c) {
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
    for (std::size_t n = 0; n < size; n += W) {
      for (int l = 0; l < W; ++l) {
        if (slot >= record_.steps[l]) continue;
        double sum = 0;
        for (int i = 0; i < used; ++i) sum += Tableau::b[i] * k_tangent_[i][n + l];
        tangent_[n + l] += h[l] * sum;
      }
    }
    for (int l = 0; l < launch_.lanes; ++l) {
      if (next_stop[l] < record_.stop_slot[l].size() && record_.stop_slot[l][next_stop[l]] == slot + 1) {
        sink(l, static_cast<int>(next_stop[l]), tangent_);
        ++next_stop[l];
      }
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
  std::array<int, W> next_stop{};
  for (int l = 0; l < W; ++l) next_stop[l] = static_cast<int>(record_.stop_slot[l].size()) - 1;

  Lanes t{};
  Lanes h{};
  double* mu = x_new_;
  for (int slot = record_.slots() - 1; slot >= 0; --slot) {
    for (int l = 0; l < launch_.lanes; ++l) {
      if (next_stop[l] >= 0 && record_.stop_slot[l][next_stop[l]] == slot + 1) inject(l, next_stop[l]--, lambda);
    }
    recall_stages(slot, t, h);
    for (int c = 0; c < scalars; ++c) {
      double* lambda_c = lambda + c * dw_;
      for (int i = used - 1; i >= 0; --i) {
        for (std::size_t n = 0; n < dw_; n += W) {
          for (int l = 0; l < W; ++l) {
            double sum = Tableau::b[i] * lambda_c[n + l];
            for (int j = i + 1; j < used; ++j) sum += Tableau::a[j][i] * pulled_[j][n + l];
            mu[n + l] = h[l] * sum;
          }
        }
        set_time(i, t, h);
        model_.vjp.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p, .seed = mu}, work_,
                                   pulled_[i]);
      }
      for (int i = 0; i < used; ++i) {
        for (std::size_t n = 0; n < dw_; n += W)
          for (int l = 0; l < W; ++l) lambda_c[n + l] += slot < record_.steps[l] ? pulled_[i][n + l] : 0.0;
        for (std::size_t n = 0; n < aw; n += W)
          for (int l = 0; l < W; ++l) by_p[c * aw + n + l] += slot < record_.steps[l] ? pulled_[i][dw_ + n + l] : 0.0;
      }
    }
  }
}

}  // namespace salvo::integrate
