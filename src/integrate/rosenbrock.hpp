#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/error_scale.hpp"
#include "integrate/integrator.hpp"
#include "integrate/lane_solver.hpp"
#include "integrate/places.hpp"
#include "integrate/stiff_control.hpp"
#include "integrate/unrolled.hpp"

// Linearly implicit steps ([HW96] IV.7; docs/mathematics.md, section 15). With J = f_x(x, t) and s = 1/(gamma h):
//   (s I - J) u_i = f(X_i, t + alpha_i h) + sum_{j<i} c_ij/h u_j + gamma_i h f_t(x, t),   X_i = x + sum_{j<i} a_ij u_j,
//   x+ = X_S + u_S,  and u_S is the estimate of the error
// A Tableau gives `stages`, gamma, alpha, gamma_sum, a and c.
namespace salvo::integrate {

template <class Tableau, int W>
class Rosenbrock {
 public:
  enum class Purpose { flight, tangents, directions, adjoints };
  Rosenbrock(const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record, Scratch& scratch,
             Purpose purpose)
      : model_(model),
        kernels_(model.stiff->kernels()),
        launch_(launch),
        record_(record),
        solver_(model, kernels_, launch.lanes),
        d_(model.states),
        nonzeros_count_(model.f_x.size()),
        dw_(static_cast<std::size_t>(d_) * W) {
    const std::size_t needed = lay_out(nullptr, purpose);
    lay_out(scratch.take(needed), purpose);
  }

  void integrate(const ErrorScale& scale);
  void tangent(const TangentSink& sink);
  void tangent_along(int directions, double* T, const double* dp, const TangentSink& sink);
  void adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p);

 private:
  static constexpr int s = Tableau::stages;
  using Lanes = std::array<double, W>;
  using Mask = std::array<bool, W>;
  using Numbers = compile::Pack<W>;
  using PerStage = std::array<double*, Tableau::stages>;

  std::size_t lay_out(double* base, Purpose purpose);

  // The parts of a step.
  const double* f_x() const { return linear_ + dw_; }
  const double* f_t() const { return linear_ + dw_ + static_cast<std::size_t>(nonzeros_count_) * W; }
  void linearize(const double* x, const Lanes& t);
  void factorize(const Lanes& h);
  template <int i>
  void form_stage(const double* x, double* out) const;
  template <int i>
  void solve_stage(const double* x, const Lanes& t, const Lanes& h);
  void run_stages(const double* x, const Lanes& t, const Lanes& h);
  // sum_{j < count} weights_j u_j, of the numbers at n.
  template <int count>
  static Numbers weighted_sum(const double (&weights)[s], const PerStage& u, std::size_t n) {
    Numbers sum = Numbers::all(0);
    unrolled<0, count>([&](auto j) {
      if (weights[j()] != 0) sum = sum + weights[j()] * Numbers::load(u[j()] + n);
    });
    return sum;
  }

  // The parts of `integrate`.
  struct Flight {
    Lanes t{};
    Lanes h{};
    Mask active{};
    std::array<int, W> attempts{};
    std::array<StiffControl::Memory, W> memory{};
    bool under_way() const { return std::find(active.begin(), active.end(), true) != active.end(); }
  };
  Flight take_off(const ErrorScale& scale);
  void first_steps(const ErrorScale& scale, Flight& flight);
  Lanes errors(const ErrorScale& scale) const;
  int worst_state(const ErrorScale& scale, int l) const;
  bool judge_step(const ErrorScale& scale, Flight& flight, int l, double error);
  void keep_step(int l, double t, double h);
  void make_room(std::size_t slot);
  void thin_out();
  void accept_steps(const ErrorScale& scale, Flight& flight, const Mask& accepted);
  double ratio(const ErrorScale& scale, std::size_t at) const;
  double next_stop(int l) const { return launch_.stops[l][record_.stop_slot[l].size()]; }

  // The parts of the sweeps. The first brings a slot's x, u_i and X_i back, with J factorised.
  bool recall(int slot, Lanes& t, Lanes& h);
  void recall_lane(int slot, int l, Lanes& t, Lanes& h);
  void repeat_steps(int segment);
  bool keeps_all_x() const { return record_.x_every == 1; }
  void linearize_stages(const Lanes& t, const Lanes& h);
  template <class Push>
  void sweep_forward(int columns, const double* T, const TangentSink& sink, const Push& push);
  void multiply_f_x(const double* nonzeros, const double* v, double* out) const;
  void push_forward(const Lanes& h, const Lanes& t, double* dx, const double* dp, int unit);
  void add_f_p(int stage, const double* dp, int unit, double* to) const;
  void pass_stops(int slot, std::array<std::size_t, W>& passed, const TangentSink& sink, const double* T) const;
  void pull_back(const Lanes& t, const Lanes& h, bool by_jacobian, double* lambda, double* by_p);
  void pull_stage(int i, const Lanes& t, const Lanes& h, bool by_jacobian, double* by_p);
  void pull_second(const Lanes& t, const Lanes& h, double* lambda, double* by_p);
  void set_time(int i, const Lanes& t, const Lanes& h) {
    for (int l = 0; l < W; ++l) time_[l] = t[l] + Tableau::alpha[i] * h[l];
  }

  const compile::CompiledModel& model_;
  const compile::StiffKernels& kernels_;
  const Launch<W>& launch_;
  Record<W>& record_;
  LaneSolver<W> solver_;
  int d_;
  int nonzeros_count_;
  std::size_t dw_;
  double *work_, *time_, *x_, *x_new_;
  double* absolute_;  // tolerances
  double* linear_;    // f, non-zeros of f_x, f_t
  double *side_, *f_out_;
  PerStage u_{};      // what is solved for
  PerStage stage_{};  // X_i
  // For the sweeps.
  std::vector<double> between_;  // x of the slots between two that are kept
  int segment_ = -1;             // and which two
  double *jacobians_, *second_, *seed_, *product_, *tangents_, *pull_work_;
  PerStage du_{};  // forward: of u_i; backward: the derivative by u_i
  PerStage mu_{};  // backward: (s I - J)^-T du_i
};

template <class Tableau, int W>
std::size_t Rosenbrock<Tableau, W>::lay_out(double* base, Purpose purpose) {
  Places places(base);
  const std::size_t all = static_cast<std::size_t>(model_.columns.size()) * W;
  const std::size_t linear = static_cast<std::size_t>(nonzeros_count_) * W + dw_;
  const std::size_t columns = static_cast<std::size_t>(d_ + model_.active);
  work_ = places.give(static_cast<std::size_t>(std::max(model_.largest_work(), kernels_.largest_work())) * W);
  time_ = places.give(W);
  x_ = places.give(dw_);
  x_new_ = places.give(dw_);
  absolute_ = places.give(dw_);
  linear_ = places.give(linear + dw_);
  side_ = places.give(dw_);
  f_out_ = places.give(dw_ + static_cast<std::size_t>(model_.kept) * W);
  for (double*& u : u_) u = places.give(dw_);
  for (double*& stage : stage_) stage = places.give(dw_);
  solver_.place(places.give(solver_.scratch_size()));
  if (purpose == Purpose::flight) return places.needed();
  jacobians_ = places.give(all * s);
  second_ = places.give(linear);
  seed_ = places.give(std::max(linear, columns * W));
  product_ = places.give(dw_);
  tangents_ = places.give(purpose == Purpose::tangents ? dw_ * columns : 0);  // states squared
  pull_work_ = places.give(static_cast<std::size_t>(model_.vjp.work_size()) * W);
  for (double*& du : du_) du = places.give(dw_);
  for (double*& mu : mu_) mu = places.give(dw_);
  return places.needed();
}

// --- one step --------------------------------------------------------------------------------------------------------

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::linearize(const double* x, const Lanes& t) {
  kernels_.linearization.template run<W>({.time = t.data(), .state = x, .parameter = launch_.p}, work_, linear_);
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::factorize(const Lanes& h) {
  Lanes shift{};
  for (int l = 0; l < W; ++l) shift[l] = 1 / (Tableau::gamma * h[l]);
  solver_.factorize(f_x(), shift);
}

template <class Tableau, int W>
template <int i>
void Rosenbrock<Tableau, W>::form_stage(const double* x, double* out) const {
  with_wide_registers<W>([&] {
    for (std::size_t n = 0; n < dw_; n += W)
      (Numbers::load(x + n) + weighted_sum<i>(Tableau::a[i], u_, n)).store(out + n);
  });
}

template <class Tableau, int W>
template <int i>
void Rosenbrock<Tableau, W>::solve_stage(const double* x, const Lanes& t, const Lanes& h) {
  form_stage<i>(x, stage_[i]);
  const double* f = linear_;
  if constexpr (i > 0) {
    set_time(i, t, h);
    model_.rhs.template run<W>({.time = time_, .state = stage_[i], .parameter = launch_.p}, work_, f_out_);
    f = f_out_;
  }
  Lanes over_h{};
  for (int l = 0; l < W; ++l) over_h[l] = 1 / h[l];
  with_wide_registers<W>([&] {
    const Numbers by_h = Numbers::load(over_h.data());
    for (std::size_t n = 0; n < dw_; n += W)
      (Numbers::load(f + n) + by_h * weighted_sum<i>(Tableau::c[i], u_, n)).store(side_ + n);
    if (Tableau::gamma_sum[i] != 0 && kernels_.uses_time) {
      const Numbers share = Tableau::gamma_sum[i] * Numbers::load(h.data());
      for (std::size_t n = 0; n < dw_; n += W)
        (Numbers::load(side_ + n) + share * Numbers::load(f_t() + n)).store(side_ + n);
    }
  });
  solver_.solve(side_, u_[i]);
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::run_stages(const double* x, const Lanes& t, const Lanes& h) {
  factorize(h);
  unrolled<0, s>([&](auto i) { solve_stage<i()>(x, t, h); });
}

}  // namespace salvo::integrate
