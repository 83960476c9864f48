#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/wide_registers.hpp"
#include "compile/pack.hpp"
#include "integrate/bundles.hpp"
#include "integrate/integrator.hpp"
#include "integrate/jump_sweep.hpp"
#include "integrate/places.hpp"
#include "integrate/support.hpp"
#include "integrate/switchboards.hpp"
#include "integrate/unrolled.hpp"

// What the explicit Runge-Kutta methods share ([HNW93] II.1, II.4):
//   X_i = x + h sum_{j<i} a_ij k_j,   k_i = f(X_i, t + c_i h, p),   x+ = x + h sum_i b_i k_i
// A Tableau gives `stages`, c, a, b and, if adaptive, `error` (b minus the embedded weights, with one more for f(x+),
// which is the first stage of the next step). A StepRule chooses and judges steps. Where the model has whole steps in
// machine code, these are taken; otherwise stage follows stage.
namespace salvo::integrate {

template <class Coefficients>
const compile::Tableau& as_formulas() {
  static const compile::Tableau tableau = [] {
    compile::Tableau out;
    for (int i = 0; i < Coefficients::stages; ++i) {
      out.c.push_back(Coefficients::c[i]);
      out.a.emplace_back(Coefficients::a[i], Coefficients::a[i] + i);
      out.b.push_back(Coefficients::b[i]);
    }
    if constexpr (Coefficients::is_adaptive)
      out.error.assign(std::begin(Coefficients::error), std::end(Coefficients::error));
    return out;
  }();
  return tableau;
}

template <class Tableau, int W>
class ExplicitRungeKutta {
 public:
  ExplicitRungeKutta(const compile::CompiledModel& model, const Launch<W>& launch, Record<W>& record, Scratch& scratch,
                     int scalars = 0, int columns = 0)
      : model_(model),
        launch_(launch),
        record_(record),
        parameters_(model, launch.p),
        switchboards_(model, launch, record, parameters_),
        d_(model.states),
        dw_(static_cast<std::size_t>(d_) * W),
        kw_(static_cast<std::size_t>(model.kept) * W),
        columns_((columns + beside - 1) / beside * beside),
        has_whole_steps_(model.whole_by == &as_formulas<Tableau>() && model.whole.step.template is_native<W>()) {
    const std::size_t needed = lay_out(nullptr, scalars);
    lay_out(scratch.take(needed), scalars);
    divide_yield();
  }

  template <class StepRule>
  void integrate(StepRule rule);
  void tangent(const Seeds<W>& seeds, const TangentSink& sink);
  void tangent_along(int directions, double* T, const double* dp, const TangentSink& sink);
  void adjoint(int scalars, const Injection& inject, double* by_x0, double* by_p);

  // f one Euler step of length h ahead of the launch, for step rules that want to know how fast f changes.
  const double* look_ahead(const std::array<double, W>& h) {
    for (std::size_t n = 0; n < dw_; n += W)
      for (int l = 0; l < W; ++l) x_new_[n + l] = x_[n + l] + h[l] * k_[0][n + l];
    for (int l = 0; l < W; ++l) time_[l] = launch_.begin[l] + h[l];
    eval(x_new_, k_[s]);
    return k_[s];
  }

 private:
  // Gives every array its place behind `base`, and says how much they need.
  std::size_t lay_out(double* base, int scalars) {
    Places places(base);
    const std::size_t nonzeros = static_cast<std::size_t>(model_.columns.size()) * W;
    work_ = places.give(static_cast<std::size_t>(model_.largest_work()) * W);
    x_ = places.give(dw_);
    absolute_ = places.give(dw_);
    seed_ = places.give(W + dw_ + kw_);
    for (int i = 1; i < s - 1; ++i) k_[i] = places.give(dw_ + kw_);
    yield_ = places.give((s + 3) * dw_ + 2 * kw_);
    again_ = places.give(s * dw_);
    kept_again_ = places.give(s * kw_);
    time_ = places.give(W * s);
    for (double*& kt : k_tangent_) kt = places.give(dw_ * group_width());
    stage_tangent_ = places.give(dw_ * group_width());
    const std::size_t all = static_cast<std::size_t>(d_ + model_.active);
    const std::size_t whole = columns_ > 0 && sweeps_whole_steps() ? dw_ * all + W : 0;
    whole_tangent_ = places.give(whole);
    whole_tangent_out_ = places.give(whole);
    tangent_ = places.give(whole > 0 ? 0 : dw_ * columns_);
    tangent_out_ = places.give(dw_ * columns_);
    for (double*& of_stage : nonzeros_) of_stage = places.give(nonzeros);
    kernel_output_ = places.give(nonzeros);
    const std::size_t widest = static_cast<std::size_t>(d_) * std::max(W, bundled);
    for (double*& v : pulled_) v = places.give(widest);
    for (double*& mu : mu_) mu = places.give(widest);
    covector_ = places.give(W + W * all);
    covector_out_ = places.give(W * all);
    bundles_ = places.give(Bundles::Counts{launch_.lanes, scalars, d_, model_.active}.size());
    pull_work_size_ = static_cast<std::size_t>(model_.vjp.work_size()) * W;
    pull_work_ = places.give(pull_work_size_ * s);
    return places.needed();
  }

  // What a whole step takes and yields stands in one piece: [h, f(x)] and [X_2 .. X_s, x+, f(x+), f(X_s), error].
  void divide_yield() {
    k_[0] = seed_ + W;
    stage_[0] = x_;
    for (int i = 1; i < s; ++i) stage_[i] = yield_ + (i - 1) * dw_;
    x_new_ = yield_ + (s - 1) * dw_;
    k_[s] = x_new_ + dw_;
    k_[s - 1] = k_[s] + dw_ + kw_;
    error_ = k_[s - 1] + dw_ + kw_;
    for (int i = 0; i < s; ++i) kept_[i] = k_[i] + dw_;
  }

  static constexpr int s = Tableau::stages;
  using Lanes = std::array<double, W>;
  using Mask = std::array<std::int64_t, W>;  // 1 or 0, as wide as the numbers they speak of
  static bool any(const Mask& mask) {        // to compare arrays would be a call for each step
    std::int64_t all = 0;
    for (const std::int64_t lane : mask) all |= lane;
    return all != 0;
  }
  using Numbers = compile::Pack<W>;

  void eval(const double* state, double* out) {
    model_.rhs.template run<W>({.time = time_, .state = state, .parameter = parameters_.packs()}, work_, out);
  }
  // sum_{j < count} weights_j arrays_j, of the numbers at n.
  template <int count, class Pack = Numbers>
  static Pack weighted_sum(const double* weights, const auto& arrays, std::size_t n) {
    Pack sum = Pack::all(0);
    unrolled<0, count>([&](auto j) {
      if (weights[j()] != 0) sum = sum + weights[j()] * Pack::load(arrays[j()] + n);
    });
    return sum;
  }
  // x + h sum_{j < count} weights_j k_j
  template <int count>
  void advance(const double* x, const Lanes& h, const double* weights, double* out) const {
    const Numbers step = Numbers::load(h.data());
    for (std::size_t n = 0; n < dw_; n += W)
      (Numbers::load(x + n) + step * weighted_sum<count>(weights, k_, n)).store(out + n);
  }
  void set_time(int i, const Lanes& t, const Lanes& h) {
    for (int l = 0; l < W; ++l) time_[l] = t[l] + Tableau::c[i] * h[l];
  }

  // W trajectories under way.
  template <class StepRule>
  struct Flight {
    Lanes t{};
    Lanes h{};
    Lanes stop{};  // the next one, or a discontinuity before it whose time is known
    Mask active{};
    Mask accepted{};  // whose last step stands
    Mask at_stop{};   // and has led to a stop
    Mask is_stuck{};  // where a state has no size yet, or a step was rejected twice
    Lanes rejected_at{};
    std::array<int, W> rejected{};  // steps that began at that time
    int attempts = 0;               // of each lane that is under way
    bool has_failed = false;
    typename StepRule::template Memory<W> memory{};
    typename StepRule::template Memory<W> memory_before{};  // the last attempt, where that may be asked for
    Mask lands{};  // on a discontinuity whose time is known, with the step that is tried

    int under_way() const {
      int count = 0;
      for (const std::int64_t lane : active) count += static_cast<int>(lane);
      return count;
    }
  };
  // The parts of `integrate`, in explicit_runge_kutta_flight.hpp.
  template <class StepRule>
  Flight<StepRule> take_off(const StepRule& rule);
  template <class StepRule>
  void choose_steps(const StepRule& rule, Flight<StepRule>& flight);
  void try_steps(const Lanes& t, const Lanes& h);
  void try_stage_by_stage(const Lanes& t, const Lanes& h);
  static bool find_standing(const Mask& active, const Lanes& error, Mask& accepted);
  template <class StepRule>
  void judge_steps(const StepRule& rule, Flight<StepRule>& flight, const Lanes& error);
  static constexpr int twice = 2;
  template <class StepRule>
  void look_for_zeros(const StepRule& rule, Flight<StepRule>& flight, const Mask& lanes);
  template <class StepRule>
  void measure_by_neighbours(const StepRule& rule, Flight<StepRule>& flight);
  template <class StepRule>
  void fail(const StepRule& rule, Flight<StepRule>& flight, int l, Outcome outcome);
  template <class StepRule>
  void diagnose_stiffness(const StepRule& rule, Flight<StepRule>& flight);
  int first_not_finite(int l, const double* numbers) const;
  void name_culprits(const Lanes& t, const Lanes& h);
  void make_room(std::size_t slot);
  std::size_t slots_that_fit() const;
  void keep_all_steps(const Lanes& t, const Lanes& h);
  void move_all_lanes();
  void keep_accepted_steps(const Lanes& t, const Lanes& h, const Mask& accepted);
  void move_accepted_lanes(const Mask& accepted);
  static void copy(const double* from, std::size_t count, double* to) {
    for (std::size_t n = 0; n < count; n += W) Numbers::load(from + n).store(to + n);
  }
  static void copy_accepted(const Mask& accepted, const double* moved, const double* stayed, std::size_t count,
                            double* to) {
    for (std::size_t n = 0; n < count; n += W)
      for (int l = 0; l < W; ++l) to[n + l] = accepted[l] != 0 ? moved[n + l] : stayed[n + l];
  }
  template <class StepRule>
  void go_on(const StepRule& rule, Flight<StepRule>& flight);
  template <class StepRule>
  void pass_stops(Flight<StepRule>& flight);
  // And those that only equations with discontinuities need, in explicit_runge_kutta_switches.hpp.
  template <class StepRule>
  void take_off_with_switches(Flight<StepRule>& flight);
  template <class StepRule>
  void cut_steps(const StepRule& rule, Flight<StepRule>& flight);
  template <class StepRule>
  void watch_switches(const StepRule& rule, Flight<StepRule>& flight);
  template <class StepRule>
  void pass_switches(const StepRule& rule, Flight<StepRule>& flight);
  template <class StepRule>
  void set_landings(Flight<StepRule>& flight);
  template <class StepRule>
  void end_if_troubled(Flight<StepRule>& flight, int l);
  void step_by_time(int l, double t, double h, double dt, double dh, double* out);
  void begin_jumps() {
    if (switchboards_.any()) jumps_.emplace(model_, launch_, record_, parameters_);
  }
  StepByTime by_time_of_lane(int l, const Lanes& t, const Lanes& h) {
    return [this, l, &t, &h](double dt, double dh, double* out) { step_by_time(l, t[l], h[l], dt, dh, out); };
  }
  static void append_along_p(std::span<const Seed> seeds, int states, std::vector<LaneJumps::AlongParameter>& along) {
    for (const auto& [column, row, value] : seeds)
      if (row >= states) along.push_back({column, row - states, value});
  }

  // The parts of `tangent` and `adjoint`. The first lets stage_[i] and kept_[i] point to X_i of a slot and to what f
  // kept there, in the record or where it is computed again.
  void recall_stages(int slot, Lanes& t, Lanes& h);
  bool sweeps_whole_steps() const {
    return has_whole_steps_ && record_.stages_kept && model_.whole.push.template is_native<W>();
  }
  void tangent_by_stages(const Seeds<W>& seeds, const TangentSink& sink);
  void tangent_by_whole_steps(const Seeds<W>& seeds, const TangentSink& sink);
  template <class Step, class OfLane, class Jumped>
  void sweep_forward(const Step& step, const OfLane& of_lane, const TangentSink& sink, const Jumped& jumped);
  enum class Order { rows, columns };
  void linearize_stages(const Lanes& t, const Lanes& h, Order order);
  void interpret_stages(double t, double h, Order order);
  // Columns of a tangent that are carried forward together.
  struct Group {
    int first = 0;
    int width = 0;
    double* T = nullptr;  // [state][column][lane]
    Support reached;
    struct AlongParameter {
      int column = 0;  // counted from the first
      int row = 0;
      Lanes value{};
      bool operator<(const AlongParameter& other) const {
        return std::pair(column, row) < std::pair(other.column, other.row);
      }
    };
    std::vector<AlongParameter> along_p{};  // what lanes have in common stands side by side
    AlongParameter& entry_along(int column, int row) {
      for (AlongParameter& entry : along_p)
        if (entry.column == column && entry.row == row) return entry;
      return along_p.emplace_back(AlongParameter{.column = column, .row = row});
    }
  };
  // Where there is one lane, columns stand side by side in its place.
  static constexpr int beside = W == 1 ? 8 : 1;
  using Line = compile::Pack<W * beside>;
  static Line of_lanes(const double* packs) {
    if constexpr (W == 1)
      return Line::all(*packs);
    else
      return Line::load(packs);
  }
  int group_width() const {
    constexpr std::size_t numbers = 512;  // of one of the arrays that a step needs
    const std::size_t fitting = numbers / std::max<std::size_t>(dw_, 1) / beside * beside;
    return static_cast<int>(std::clamp<std::size_t>(fitting, beside, std::max<std::size_t>(columns_, beside)));
  }
  std::vector<Group> column_groups(const Seeds<W>& seeds);
  template <class States>
  void push_forward(const Group& group, const Lanes& h, const States& states);
  void multiply(int i, std::size_t line, const double* nonzeros, double* out) const;
  void hand_out(const Group& group, int l);
  void hand_out(const double* whole, std::span<const Seed> seeds, int columns, int l);
  void adjoint_by_whole_steps(int scalars, const Injection& inject, double* by_x0, double* by_p);
  void adjoint_by_formulas(int scalars, const Injection& inject, double* by_x0, double* by_p);
  void adjoint_by_jacobian(int scalars, const Injection& inject, double* by_x0, double* by_p);
  template <class Injected, class PullBack, class Scalar>
  void sweep_back(int scalars, const Injection& inject, double* lambda, const Injected& injected,
                  const PullBack& pull_back_step, const Scalar& scalar);
  void pull_back_bundle(int lane, double h, Bundle bundle);
  using PerStage = std::array<double*, s>;
  template <int V, class States, class TransposedProduct>
  void pull_back(const std::array<double, V>& h, double* lambda, const PerStage& mu, const States& states,
                 const TransposedProduct& transposed_product);

  const compile::CompiledModel& model_;
  const Launch<W>& launch_;
  Record<W>& record_;
  FrozenParameters<W> parameters_;
  Switchboards<W> switchboards_;
  std::optional<JumpSweep<W>> jumps_{};  // of a sweep through discontinuities
  int d_;
  std::size_t dw_;
  std::size_t kw_;       // numbers that f keeps for its pullback
  std::size_t columns_;  // of a tangent; the last few may be padding
  bool has_whole_steps_;
  std::size_t slots_with_room_ = 0;
  double* work_;
  double* x_;
  double* absolute_;  // tolerances
  double *seed_, *yield_;
  double *again_, *kept_again_;  // stages that were not kept, and what f kept there
  double *x_new_, *error_;
  std::array<double*, s + 1> k_{};        // f, and behind it what f keeps; the last one at x+
  std::array<const double*, s> stage_{};  // X_i
  std::array<const double*, s> kept_{};   // what f kept there
  double* time_;                          // of one stage, or of each
  PerStage k_tangent_{};
  double *tangent_, *tangent_out_, *stage_tangent_;
  double *whole_tangent_, *whole_tangent_out_;  // by (x0, active p)
  PerStage nonzeros_{};                         // of [f_x f_p] at each stage
  double* kernel_output_;
  PerStage pulled_{};
  PerStage mu_{};
  double *covector_, *covector_out_;
  double* bundles_;
  double* pull_work_;  // registers of the pullback, stage by stage
  std::size_t pull_work_size_;
  Scratch side_by_side_{};           // for the stages of one lane
  std::vector<double> direction_{};  // of the state at a stage, then of the parameters
};

}  // namespace salvo::integrate
