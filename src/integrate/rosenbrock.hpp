#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "integrate/error_scale.hpp"
#include "integrate/integrator.hpp"
#include "integrate/jump_sweep.hpp"
#include "integrate/rosenbrock_step.hpp"
#include "integrate/stiff_control.hpp"
#include "integrate/switchboards.hpp"

// Trajectories by linearly implicit steps (rosenbrock_step.hpp), W of them side by side, and the sweep back over them.
namespace salvo::integrate {

template <class Tableau, int W>
class Rosenbrock {
 public:
  enum class Purpose { flight, adjoints };
  Rosenbrock(const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record, Scratch& scratch,
             Purpose purpose)
      : model_(model),
        launch_(launch),
        record_(record),
        parameters_(model, launch.p),
        switchboards_(model, launch, record, parameters_),
        step_(model, parameters_.packs(), launch.lanes),
        consistency_(model),
        of_lane_(model.algebraic.empty() ? 0 : model.states),
        d_(model.states),
        dw_(static_cast<std::size_t>(d_) * W) {
    const std::size_t needed = lay_out(nullptr, purpose);
    lay_out(scratch.take(needed), purpose);
  }

  void integrate(const ErrorScale& scale);
  void adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p);

 private:
  static constexpr int s = Tableau::stages;
  using Lanes = std::array<double, W>;
  using Mask = std::array<bool, W>;
  using Numbers = compile::Pack<W>;
  using PerStage = std::array<double*, Tableau::stages>;

  std::size_t lay_out(double* base, Purpose purpose);

  // The parts of `integrate`.
  struct Flight {
    Lanes t{};
    Lanes h{};
    Mask active{};
    Mask is_stuck{};  // where a state has no size yet, or a step was rejected twice
    std::array<int, W> attempts{};
    std::array<StiffControl::Memory, W> memory{};
    bool under_way() const { return std::find(active.begin(), active.end(), true) != active.end(); }
  };
  Flight take_off(const ErrorScale& scale);
  void multiply_f_x(const double* v, double* out) const;
  void first_steps(const ErrorScale& scale, Flight& flight);
  static bool is_any_stuck(const Flight& flight) {
    return std::find(flight.is_stuck.begin(), flight.is_stuck.end(), true) != flight.is_stuck.end();
  }
  void measure_by_neighbours(const ErrorScale& scale, Flight& flight);
  Lanes errors(const ErrorScale& scale) const;
  int worst_state(const ErrorScale& scale, int l) const;
  bool judge_step(const ErrorScale& scale, Flight& flight, int l, double error);
  void keep_step(int l, double t, double h);
  void make_room(std::size_t slot);
  void thin_out();
  void accept_steps(const ErrorScale& scale, Flight& flight, const Mask& accepted);
  void note_stop(int l);
  void watch_roots(Flight& flight, const Mask& accepted);
  bool is_algebraic(int state) const {
    return std::binary_search(model_.algebraic.begin(), model_.algebraic.end(), state);
  }
  void end_if_troubled(Flight& flight, int l);
  double length_of_step(Flight& flight, int l) const;
  void watch_switches(Flight& flight, Mask& accepted, const std::array<StiffControl::Memory, W>& before);
  void pass_switches(Flight& flight, int l);
  double ratio(const ErrorScale& scale, std::size_t at) const;
  double next_stop(int l) const { return launch_.stops[l][record_.stop_slot[l].size()]; }
  // The next stop, or a discontinuity before it whose time is known.
  double next_landing(int l) const {
    return switchboards_.any() ? std::min(next_stop(l), switchboards_[l].next_time()) : next_stop(l);
  }

  // The parts of `adjoint`. The first two bring a slot's x, u_i and X_i back, with J factorised.
  bool recall(int slot, Lanes& t, Lanes& h);
  void recall_stages(const Lanes& t, const Lanes& h);
  void set_frozen_of(int slot);
  void jump_before(int slots, const Lanes& t, const Lanes& h, double* by_x0, double* by_p);
  void recall_lane(int slot, int l, Lanes& t, Lanes& h);
  void repeat_steps(int segment);
  bool keeps_all_x() const { return record_.x_every == 1; }
  void linearize_stages(const Lanes& t, const Lanes& h);
  void pull_back(const Lanes& t, const Lanes& h, bool by_jacobian, double* lambda, double* by_p);
  void pull_stage(int i, const Lanes& t, const Lanes& h, bool by_jacobian, double* by_p);
  void pull_second(const Lanes& t, const Lanes& h, double* lambda, double* by_p);

  const compile::CompiledModel& model_;
  const Launch<W>& launch_;
  Record<W>& record_;
  FrozenParameters<W> parameters_;
  Switchboards<W> switchboards_;
  std::optional<JumpSweep<W>> jumps_{};  // of a sweep through discontinuities
  RosenbrockStep<Tableau, W> step_;
  Consistency consistency_;
  std::array<Consistency::Determinant, W> roots_{};  // where lanes began, or jumped last
  std::vector<double> of_lane_{};
  int d_;
  std::size_t dw_;
  double *x_, *x_new_;
  double* absolute_;                   // tolerances
  double *by_neighbours_, *vanished_;  // which are not smaller than these
  // For the sweep back.
  std::vector<double> between_;  // x of the slots between two that are kept
  int segment_ = -1;             // and which two
  double *jacobians_, *seed_, *product_, *pull_work_;
  PerStage mu_{};  // (s I - J)^-T times the derivative by u_i
  PerStage v_{};   // f_x(X_i)' mu_i
};

template <class Tableau, int W>
std::size_t Rosenbrock<Tableau, W>::lay_out(double* base, Purpose purpose) {
  Places places(base);
  const std::size_t all = static_cast<std::size_t>(model_.columns.size()) * W;
  step_.lay_out(places);
  x_ = places.give(dw_);
  x_new_ = places.give(dw_);
  absolute_ = places.give(dw_);
  by_neighbours_ = places.give(dw_);
  vanished_ = places.give(dw_);
  if (purpose == Purpose::flight) return places.needed();
  jacobians_ = places.give(all * s);
  seed_ = places.give(static_cast<std::size_t>(step_.nonzeros) * W + dw_);
  product_ = places.give(dw_);
  pull_work_ = places.give(static_cast<std::size_t>(model_.vjp.work_size()) * W);
  for (double*& v : v_) v = places.give(dw_);
  for (double*& mu : mu_) mu = places.give(dw_);
  return places.needed();
}

}  // namespace salvo::integrate
