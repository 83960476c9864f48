#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/bundles.hpp"
#include "integrate/integrator.hpp"
#include "integrate/places.hpp"
#include "integrate/support.hpp"
#include "integrate/unrolled.hpp"

// What the explicit Runge-Kutta methods share ([HNW93] II.1, II.4):
//   X_i = x + h sum_{j<i} a_ij k_j,   k_i = f(X_i, t + c_i h, p),   x+ = x + h sum_i b_i k_i
// A Tableau gives `stages`, c, a, b, `contributing` (the stages whose b is not zero) and, if adaptive, `error` (b minus
// the embedded weights). Methods whose last stage is the first of the next step say `first_same_as_last`. A StepRule
// chooses and judges the steps of one lane.
namespace salvo::integrate {

template <class Tableau, int W>
class ExplicitRungeKutta {
 public:
  ExplicitRungeKutta(const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record, Scratch& scratch,
                     int scalars = 0, bool with_tangents = false)
      : model_(model),
        launch_(launch),
        record_(record),
        d_(model.states),
        dw_(static_cast<std::size_t>(d_) * W),
        kw_(static_cast<std::size_t>(model.kept) * W),
        columns_(d_ + model.active) {
    const std::size_t needed = lay_out(nullptr, scalars, with_tangents);
    lay_out(scratch.take(needed), scalars, with_tangents);
  }

  template <class StepRule>
  void integrate(StepRule rule);
  void tangent(const TangentSink& sink);
  void tangent_along(int directions, double* T, const double* dp, const TangentSink& sink);
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
  // Gives every array its place behind `base`, and says how much they need.
  std::size_t lay_out(double* base, int scalars, bool with_tangents) {
    Places places(base);
    const std::size_t nonzeros = static_cast<std::size_t>(model_.columns.size()) * W;
    work_ = places.give(static_cast<std::size_t>(model_.largest_work()) * W);
    x_ = places.give(dw_);
    x_new_ = places.give(dw_);
    absolute_ = places.give(dw_);
    for (double*& k : k_) k = places.give(dw_ + kw_);
    for (double*& stage : stage_) stage = places.give(dw_);
    time_ = places.give(W * s);
    for (double*& kt : k_tangent_) kt = places.give(dw_ * group_width());
    stage_tangent_ = places.give(dw_ * group_width());
    const std::size_t whole = with_tangents ? dw_ * columns_ : 0;  // states squared
    tangent_ = places.give(whole);
    tangent_out_ = places.give(whole);
    for (double*& of_stage : nonzeros_) of_stage = places.give(nonzeros);
    kernel_output_ = places.give(nonzeros);
    const std::size_t widest = static_cast<std::size_t>(d_) * std::max(W, bundled);
    for (double*& v : pulled_) v = places.give(widest);
    for (double*& mu : mu_) mu = places.give(widest);
    bundles_ = places.give(Bundles::Counts{launch_.lanes, scalars, d_, model_.active}.size());
    pull_work_size_ = static_cast<std::size_t>(model_.vjp.work_size()) * W;
    pull_work_ = places.give(pull_work_size_ * s);
    return places.needed();
  }

  static constexpr int s = Tableau::stages;
  static constexpr int used = Tableau::contributing;  // stages that x+ depends on
  using Lanes = std::array<double, W>;
  using Mask = std::array<bool, W>;
  using Numbers = compile::Pack<W>;

  void eval(const double* state, double* out) {
    model_.rhs.template run<W>({.time = time_, .state = state, .parameter = launch_.p}, work_, out);
  }
  void eval_first_stage(const Lanes& t) {
    set_time(0, t, Lanes{});
    eval(x_, k_[0]);
  }
  // sum_{j < count} weights_j arrays_j, of the numbers at n.
  template <int count>
  static Numbers weighted_sum(const double (&weights)[s], const std::array<double*, s>& arrays, std::size_t n) {
    Numbers sum = Numbers::all(0);
    unrolled<0, count>([&](auto j) {
      if (weights[j()] != 0) sum = sum + weights[j()] * Numbers::load(arrays[j()] + n);
    });
    return sum;
  }
  // X_i = x + h sum a_ij k_j
  template <int i>
  void form_stage(const double* x, const Lanes& h, double* out) const {
    const Numbers step = Numbers::load(h.data());
    for (std::size_t n = 0; n < dw_; n += W)
      (Numbers::load(x + n) + step * weighted_sum<i>(Tableau::a[i], k_, n)).store(out + n);
  }
  void set_time(int i, const Lanes& t, const Lanes& h) {
    for (int l = 0; l < W; ++l) time_[l] = t[l] + Tableau::c[i] * h[l];
  }

  // W trajectories under way.
  template <class StepRule>
  struct Flight {
    Lanes t{};
    Lanes h{};
    std::array<bool, W> active{};
    std::array<int, W> attempts{};
    std::array<typename StepRule::Memory, W> memory{};

    bool under_way() const { return std::find(active.begin(), active.end(), true) != active.end(); }
  };
  // The parts of `integrate`.
  template <class StepRule>
  Flight<StepRule> take_off(const StepRule& rule);
  template <class StepRule>
  void choose_steps(const StepRule& rule, Flight<StepRule>& flight) const;
  void try_steps(const Lanes& t, const Lanes& h);
  template <class StepRule>
  bool judge_step(const StepRule& rule, Flight<StepRule>& flight, int l, double error);
  template <class StepRule>
  void accept_steps(const StepRule& rule, Flight<StepRule>& flight, const Mask& accepted);
  void keep_steps(const Mask& accepted, const Lanes& t, const Lanes& h);
  void make_room(std::size_t slot);
  void move_on(const Mask& accepted);
  bool pass_stop(int l, const double* x);
  double next_stop(int l) const { return launch_.stops[l][record_.stop_slot[l].size()]; }

  // The parts of `tangent` and `adjoint`. The first brings X_i of a slot into stage_[i] and what f kept there behind
  // k_[i], from the record or by computing it again.
  void recall_stages(int slot, Lanes& t, Lanes& h);
  enum class Order { rows, columns };
  void linearize_stages(const Lanes& t, const Lanes& h, Order order);
  // Columns of a tangent that are carried forward together.
  struct Group {
    int first = 0;
    int width = 0;
    double* T = nullptr;  // [state][column][lane]
    Support reached;
  };
  int group_width() const {
    constexpr std::size_t numbers = 512;  // of one of the arrays that a step needs
    return static_cast<int>(std::clamp<std::size_t>(numbers / std::max<std::size_t>(dw_, 1), 1, columns_));
  }
  std::vector<Group> column_groups();
  template <class States>
  void push_forward(const Group& group, const Lanes& h, const States& states);
  void multiply(int i, std::size_t line, const double* nonzeros, double* out) const;
  void hand_out(const Group& group, int l);
  void adjoint_by_formulas(int scalars, const Injection& inject, double* by_x0, double* by_p);
  void adjoint_by_jacobian(int scalars, const Injection& inject, double* by_x0, double* by_p);
  template <class Injected, class PullBack>
  void sweep_back(const Injection& inject, double* lambda, const Injected& injected, const PullBack& pull_back_step);
  void pull_back_bundle(int lane, double h, Bundle bundle);
  using PerStage = std::array<double*, Tableau::stages>;
  template <int V, class States, class TransposedProduct>
  void pull_back(const std::array<double, V>& h, double* lambda, const PerStage& mu, const States& states,
                 const TransposedProduct& transposed_product);

  const compile::CompiledModel& model_;
  const Launch<W>& launch_;
  Record<W>& record_;
  int d_;
  std::size_t dw_;
  std::size_t kw_;       // numbers that f keeps for its pullback
  std::size_t columns_;  // of a tangent: by (x0, active p)
  double* work_;
  double *x_, *x_new_;
  double* absolute_;                          // tolerances
  std::array<double*, Tableau::stages> k_{};  // f, and behind it what f keeps
  std::array<double*, Tableau::stages> stage_{};
  double* time_;  // of one stage, or of each
  std::array<double*, Tableau::stages> k_tangent_{};
  double *tangent_, *tangent_out_, *stage_tangent_;
  std::array<double*, Tableau::contributing> nonzeros_{};  // of [f_x f_p] at each stage
  double* kernel_output_;
  std::array<double*, Tableau::stages> pulled_{};
  std::array<double*, Tableau::stages> mu_{};
  double* bundles_;
  double* pull_work_;  // registers of the pullback, stage by stage
  std::size_t pull_work_size_;
  std::vector<double> direction_{};  // of the state at a stage, then of the parameters
};

// --- keeping steps -------------------------------------------------------------------------------------------------

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::make_room(std::size_t slot) {
  if (record_.t.size() < (slot + 1) * W) {
    record_.t.resize((slot + 1) * W);
    record_.h.resize((slot + 1) * W);
    record_.x.resize((slot + 1) * dw_);
    if (record_.stages_kept && (slot + 1) * ((used - 1) * dw_ + used * kw_) * sizeof(double) > record_.stage_budget) {
      record_.stages_kept = false;
      for (auto* numbers : {&record_.stage, &record_.kept}) {
        numbers->clear();
        numbers->shrink_to_fit();
      }
    }
  }
  if (!record_.stages_kept) return;
  if (record_.stage.size() < (slot + 1) * (used - 1) * dw_) record_.stage.resize((slot + 1) * (used - 1) * dw_);
  if (record_.kept.size() < (slot + 1) * used * kw_) record_.kept.resize((slot + 1) * used * kw_);
}

// Lanes that have taken equally many steps are kept together, others one by one.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::keep_steps(const Mask& accepted, const Lanes& t, const Lanes& h) {
  const auto keep = [&](std::size_t slot, const auto& copy) {
    make_room(slot);
    copy(t.data(), record_.t.data() + slot * W, W);
    copy(h.data(), record_.h.data() + slot * W, W);
    copy(x_, record_.x.data() + slot * dw_, dw_);
    if (!record_.stages_kept) return;
    for (int i = 1; i < used; ++i) copy(stage_[i], record_.stage.data() + (slot * (used - 1) + i - 1) * dw_, dw_);
    for (int i = 0; i < used && kw_ > 0; ++i) copy(k_[i] + dw_, record_.kept.data() + (slot * used + i) * kw_, kw_);
  };
  const bool together =
      std::all_of(accepted.begin(), accepted.end(), [](bool lane) { return lane; }) &&
      std::all_of(record_.steps.begin(), record_.steps.end(), [&](int steps) { return steps == record_.steps[0]; });
  if (together) keep(record_.steps[0], [](const double* from, double* to, std::size_t n) { std::copy_n(from, n, to); });
  for (int l = 0; l < W; ++l) {
    if (!accepted[l]) continue;
    if (!together)
      keep(record_.steps[l], [l](const double* from, double* to, std::size_t count) {
        for (std::size_t n = l; n < count; n += W) to[n] = from[n];
      });
    ++record_.steps[l];
  }
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
void ExplicitRungeKutta<Tableau, W>::integrate(StepRule rule) {
  record_.begin(d_, s);
  rule.template measure_by<W>(launch_.x0, dw_, absolute_);
  Flight<StepRule> flight = take_off(rule);
  while (flight.under_way()) {
    choose_steps(rule, flight);
    Lanes error{};
    with_wide_registers<W>([&] {
      try_steps(flight.t, flight.h);
      error = rule.errors(d_, flight.h, x_, x_new_, k_);
    });
    Mask accepted{};
    for (int l = 0; l < W; ++l) accepted[l] = flight.active[l] && judge_step(rule, flight, l, error[l]);
    accept_steps(rule, flight, accepted);
    if constexpr (!Tableau::first_same_as_last) eval_first_stage(flight.t);
  }
}

template <class Tableau, int W>
template <class StepRule>
auto ExplicitRungeKutta<Tableau, W>::take_off(const StepRule& rule) -> Flight<StepRule> {
  Flight<StepRule> flight{.t = launch_.begin};
  std::fill_n(flight.active.begin(), launch_.lanes, true);
  std::copy_n(launch_.x0, dw_, x_);
  eval_first_stage(flight.t);
  rule.begin(*this, launch_, d_, x_, k_[0], flight.memory);
  record_.rhs += launch_.lanes;
  return flight;
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::choose_steps(const StepRule& rule, Flight<StepRule>& flight) const {
  for (int l = 0; l < W; ++l)
    flight.h[l] = flight.active[l] ? rule.next_step(flight.memory[l], flight.t[l], next_stop(l)) : 0.0;
}

// All stages after the first, and x+ in x_new_.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::try_steps(const Lanes& t, const Lanes& h) {
  unrolled<1, s>([&](auto i) {
    form_stage<i()>(x_, h, stage_[i()]);
    set_time(i(), t, h);
    eval(stage_[i()], k_[i()]);
  });
  if constexpr (Tableau::first_same_as_last) {
    std::copy_n(stage_[s - 1], dw_, x_new_);  // the last stage stands at x+
  } else {
    const Numbers step = Numbers::load(h.data());
    for (std::size_t n = 0; n < dw_; n += W)
      (Numbers::load(x_ + n) + step * weighted_sum<s>(Tableau::b, k_, n)).store(x_new_ + n);
  }
}

template <class Tableau, int W>
template <class StepRule>
bool ExplicitRungeKutta<Tableau, W>::judge_step(const StepRule& rule, Flight<StepRule>& flight, int l, double error) {
  record_.rhs += Tableau::first_same_as_last ? s - 1 : s;
  const double t = flight.t[l];
  const double h = flight.h[l];
  const auto verdict = rule.template judge<W>(flight.memory[l], l, d_, t, h, error, x_, x_new_, k_);
  const bool too_many = ++flight.attempts[l] > launch_.max_steps;
  if (verdict.failed || too_many) {
    record_.ending[l] = verdict.failed ? Ending{.outcome = verdict.outcome, .time = t, .state = verdict.state}
                                       : Ending{.outcome = Outcome::too_many_steps,
                                                .time = t,
                                                .state = rule.template worst_state<W>(l, d_, h, x_, x_new_, k_)};
    flight.active[l] = false;
    return false;
  }
  return verdict.accepted;
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::accept_steps(const StepRule& rule, Flight<StepRule>& flight,
                                                  const Mask& accepted) {
  keep_steps(accepted, flight.t, flight.h);
  move_on(accepted);
  rule.template passed<W>(x_, dw_);
  for (int l = 0; l < W; ++l) {
    if (!accepted[l]) continue;
    const bool at_stop = rule.reaches_stop(flight.memory[l]);
    flight.t[l] = at_stop ? next_stop(l) : flight.t[l] + flight.h[l];
    if (at_stop && pass_stop(l, x_)) flight.active[l] = false;
  }
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::move_on(const Mask& accepted) {
  for (std::size_t n = 0; n < dw_; n += W) {
    for (int l = 0; l < W; ++l) {
      x_[n + l] = accepted[l] ? x_new_[n + l] : x_[n + l];
      if constexpr (Tableau::first_same_as_last) k_[0][n + l] = accepted[l] ? k_[s - 1][n + l] : k_[0][n + l];
    }
  }
  if constexpr (Tableau::first_same_as_last)
    for (std::size_t n = dw_; n < dw_ + kw_; n += W)
      for (int l = 0; l < W; ++l) k_[0][n + l] = accepted[l] ? k_[s - 1][n + l] : k_[0][n + l];
}

}  // namespace salvo::integrate
