#pragma once

#include <array>
#include <utility>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/lane_solver.hpp"
#include "integrate/places.hpp"
#include "integrate/unrolled.hpp"

namespace salvo::integrate {

// One linearly implicit step in W lanes ([HW96] IV.7; docs/mathematics.md, section 15). With J = f_x(x, t) and
// s = 1/(gamma h):
//   (s M - J) u_i = f(X_i, t + alpha_i h) + M sum_{j<i} c_ij/h u_j + gamma_i h f_t(x, t),
//   X_i = x + sum_{j<i} a_ij u_j,   x+ = X_S + u_S,  and u_S is the estimate of the error
// M is the identity; in rows of algebraic equations it is zero.
// A Tableau gives `stages`, gamma, alpha, gamma_sum, a and c.
template <class Tableau, int W>
struct RosenbrockStep {
  static constexpr int s = Tableau::stages;
  using Lanes = std::array<double, W>;
  using Numbers = compile::Pack<W>;
  using PerStage = std::array<double*, s>;

  const compile::CompiledModel& model;
  const compile::StiffKernels& kernels;
  const double* p;  // parameters packs
  LaneSolver<W> solver;
  std::size_t dw;  // numbers of a state
  int nonzeros;    // of f_x
  double *work, *time;
  double* linear;  // f, non-zeros of f_x, f_t
  double *side, *f_out;
  PerStage u{};      // what is solved for
  PerStage stage{};  // X_i

  RosenbrockStep(const compile::CompiledModel& of, const double* parameters, int lanes)
      : model(of),
        kernels(of.stiff->kernels()),
        p(parameters),
        solver(of, kernels, lanes),
        dw(static_cast<std::size_t>(of.states) * W),
        nonzeros(of.f_x.size()) {}

  void lay_out(Places& places) {
    work = places.give(static_cast<std::size_t>(std::max(model.largest_work(), kernels.largest_work())) * W);
    time = places.give(W);
    linear = places.give(static_cast<std::size_t>(nonzeros) * W + 2 * dw);
    side = places.give(dw);
    f_out = places.give(dw + static_cast<std::size_t>(model.kept) * W);
    for (double*& of_stage : u) of_stage = places.give(dw);
    for (double*& of_stage : stage) of_stage = places.give(dw);
    solver.place(places.give(solver.scratch_size()));
  }

  const double* f_x() const { return linear + dw; }
  const double* f_t() const { return linear + dw + static_cast<std::size_t>(nonzeros) * W; }

  void set_time(int i, const Lanes& t, const Lanes& h) {
    for (int l = 0; l < W; ++l) time[l] = t[l] + Tableau::alpha[i] * h[l];
  }
  void linearize(const double* x, const Lanes& t) {
    kernels.linearization.template run<W>({.time = t.data(), .state = x, .parameter = p}, work, linear);
  }
  void factorize(const Lanes& h) {
    Lanes shift{};
    for (int l = 0; l < W; ++l) shift[l] = 1 / (Tableau::gamma * h[l]);
    solver.factorize(f_x(), shift);
  }
  // After `linearize`: u_i and X_i.
  void run_stages(const double* x, const Lanes& t, const Lanes& h) {
    factorize(h);
    unrolled<0, s>([&](auto i) { solve_stage<i()>(x, t, h); });
  }
  // X_i from given u_i.
  void form_stages(const double* x) {
    unrolled<0, s>([&](auto i) { form_stage<i()>(x); });
  }
  // Where the step leads, after its stages.
  void write_end(double* to) const {
    for (std::size_t n = 0; n < dw; ++n) to[n] = stage[s - 1][n] + u[s - 1][n];
  }

  // sum_{j < count} weights_j arrays_j, of the numbers at n.
  template <int count>
  static Numbers weighted_sum(const double (&weights)[s], const PerStage& arrays, std::size_t n) {
    Numbers sum = Numbers::all(0);
    unrolled<0, count>([&](auto j) {
      if (weights[j()] != 0) sum = sum + weights[j()] * Numbers::load(arrays[j()] + n);
    });
    return sum;
  }

 private:
  template <int i>
  void form_stage(const double* x) {
    with_wide_registers<W>([&] {
      for (std::size_t n = 0; n < dw; n += W)
        (Numbers::load(x + n) + weighted_sum<i>(Tableau::a[i], u, n)).store(stage[i] + n);
    });
  }

  template <int i>
  void solve_stage(const double* x, const Lanes& t, const Lanes& h) {
    form_stage<i>(x);
    const double* f = linear;
    if constexpr (i > 0) {
      set_time(i, t, h);
      model.rhs.template run<W>({.time = time, .state = stage[i], .parameter = p}, work, f_out);
      f = f_out;
    }
    Lanes over_h{};
    for (int l = 0; l < W; ++l) over_h[l] = 1 / h[l];
    with_wide_registers<W>([&] {
      const Numbers by_h = Numbers::load(over_h.data());
      for (std::size_t n = 0; n < dw; n += W)
        (Numbers::load(f + n) + by_h * weighted_sum<i>(Tableau::c[i], u, n)).store(side + n);
      for (const int row : model.algebraic)
        Numbers::load(f + static_cast<std::size_t>(row) * W).store(side + static_cast<std::size_t>(row) * W);
      if (Tableau::gamma_sum[i] != 0 && kernels.uses_time) {
        const Numbers share = Tableau::gamma_sum[i] * Numbers::load(h.data());
        for (std::size_t n = 0; n < dw; n += W)
          (Numbers::load(side + n) + share * Numbers::load(f_t() + n)).store(side + n);
      }
    });
    solver.solve(side, u[i]);
  }
};

}  // namespace salvo::integrate
