#pragma once

#include <algorithm>
#include <optional>

#include "integrate/integrator.hpp"
#include "integrate/rosenbrock_by_time.hpp"
#include "integrate/rosenbrock_directions.hpp"
#include "integrate/rosenbrock_step.hpp"

namespace salvo::integrate {

// Forward over the recorded steps of one trajectory. J depends on x and p, so second derivatives of f belong to the
// derivative of a step:
//   (s M - J) du_i = f_x(X_i) dX_i + C_i dx + [f_p(X_i) + D_i] dp + M sum_{j<i} c_ij/h du_j,
//   dX_i = dx + sum_{j<i} a_ij du_j,   [C_i D_i] = d(J u_i + gamma_i h f_t) / d(x, p)
// None of these matrices knows the direction (dx, dp). They are made once for each step, its stages side by side as
// lanes of the kernels, and the linear equations are factorised for eight steps side by side; then groups of
// directions, sixteen or eight of them side by side in their turn, pass step after step.
template <class Tableau>
class RosenbrockTangents {
 public:
  RosenbrockTangents(const compile::CompiledModel& model, const RecordedLane& lane, const double* parameters,
                     std::span<const Seed> seeds, int columns, Scratch& scratch)
      : model_(model), lane_(lane), columns_(columns), steps_(model, nullptr, side_by_side) {
    for (const ColumnGroup& group : group_columns(model, seeds, columns, many)) {
      if (group.columns.size() > few)
        wide_groups_.emplace_back(model, steps_.kernels, group, seeds);
      else
        narrow_groups_.emplace_back(model, steps_.kernels, group, seeds);
    }
    if (lane.x_every > 1) again_.emplace(model, nullptr, 1);
    const std::size_t needed = lay_out(nullptr);
    lay_out(scratch.take(needed));
    for (int k = 0; k < model.parameters; ++k) {
      const double value = parameters[static_cast<std::size_t>(k) * lane.lanes];
      std::fill_n(p_ + static_cast<std::size_t>(k) * side_by_side, side_by_side, value);
      std::fill_n(p_of_stages_ + static_cast<std::size_t>(k) * side_by_side, side_by_side, value);
      p_again_[k] = value;
    }
    steps_.p = p_;
    if (again_) again_->p = p_again_;
    if (model.discontinuities) jumps_.emplace(model, *lane.jumps, parameters, lane.lanes);
  }

  // at_stop(k) where the trajectory has come to stop k; given up where the flag is raised.
  using AtStop = std::function<void(int k)>;
  void sweep(std::span<const Seed> seeds, const AtStop& at_stop, const StopFlag* given_up);
  // The derivatives where the sweep stands, as a TangentSink of the record's lane `l` wants them.
  const double* handed_out(int l) {
    each_number([&](int c, int state, double& number) { out_[place_of(c, state) + l] = number; });
    return out_;
  }

 private:
  static constexpr int s = Tableau::stages;
  static constexpr int side_by_side = LinearizedStep::side_by_side;  // stages of a step, or steps
  static constexpr std::size_t few = 8;                              // directions side by side ...
  static constexpr int many = 16;  // ... or twice as many, which saves much of what finding numbers takes
  using Step = RosenbrockStep<Tableau, side_by_side>;
  using Lanes = typename Step::Lanes;

  template <class Use>
  void each_group(const Use& use) {
    for (auto& group : wide_groups_) use(group);
    for (auto& group : narrow_groups_) use(group);
  }
  // use(column, state, number) for all derivatives that can differ from zero.
  template <class Use>
  void each_number(const Use& use) {
    each_group([&](auto& group) { group.each_number(use); });
  }
  std::size_t place_of(int column, int state) const {
    return (static_cast<std::size_t>(column) * model_.states + state) * lane_.lanes;
  }
  std::size_t lay_out(double* base);
  void recall(int first);
  void recall_begin(int slot, int q);
  void begin_jumps(std::span<const Seed> seeds);
  void jump_after(int slots, int q);
  // Truth values that the step in a slot went by, among parameters that stand `apart`.
  void set_frozen(int slot, double* p, int apart) const {
    if (!jumps_) return;
    const auto frozen = frozen_in_slot(*lane_.jumps, lane_.frozen, slot);
    double* first = p + static_cast<std::size_t>(model_.discontinuities->first) * apart;
    for (std::size_t i = 0; i < frozen.size(); ++i) first[i * apart] = frozen[i];
  }
  void scale_upper();
  void linearize_stages(int q);
  LinearizedStep linearized_step(int q) {
    const double* factors = steps_.solver.factors(q);
    return {.by_h = 1 / h_[q],
            .nonzeros = jacobian_,
            .factors = factors,
            .up = up_ + q,
            .pivoted = factors == nullptr ? &steps_.solver.pivoted(q) : nullptr};
  }
  const compile::CompiledModel& model_;
  RecordedLane lane_;
  int columns_;
  Step steps_;                                       // eight of them
  std::optional<RosenbrockStep<Tableau, 1>> again_;  // one that leads to a state that was not kept
  std::optional<LaneJumps> jumps_{};
  Lanes t_{}, h_{};
  double *p_, *p_of_stages_, *p_again_, *x_, *x_again_;
  double *of_stages_, *u_of_stages_, *x_of_stages_, *weights_;  // of one step, stages as lanes
  double *jacobian_, *curvature_;                               // [f_x f_p] of its stages, and behind it [C D]
  double* up_;                                                  // -u_jk/u_jj of the steps
  double* out_;
  std::array<double*, s> du_{};
  std::vector<RosenbrockDirections<Tableau, many>> wide_groups_;
  std::vector<RosenbrockDirections<Tableau, few>> narrow_groups_;
};

template <class Tableau>
std::size_t RosenbrockTangents<Tableau>::lay_out(double* base) {
  Places places(base);
  const auto packs = [](int count) { return static_cast<std::size_t>(count) * side_by_side; };
  steps_.lay_out(places);
  if (again_) again_->lay_out(places);
  p_ = places.give(packs(model_.parameters));
  p_of_stages_ = places.give(packs(model_.parameters));
  p_again_ = places.give(model_.parameters);
  x_ = places.give(packs(model_.states));
  x_again_ = places.give(model_.states);
  of_stages_ = places.give(packs(model_.states));
  u_of_stages_ = places.give(packs(model_.states));
  x_of_stages_ = places.give(packs(model_.states));
  weights_ = places.give(side_by_side);
  jacobian_ = places.give(packs(model_.columns.size() + steps_.kernels.curvature.output_count()));
  curvature_ = jacobian_ + packs(model_.columns.size());
  up_ = places.give(packs(steps_.kernels.plan ? steps_.kernels.plan->upper_rows.size() : 0));
  out_ = places.give(place_of(columns_, 0));
  std::size_t largest = 0;
  each_group([&](auto& group) {
    group.lay_out(places);
    largest = std::max(largest, group.size());
  });
  for (double*& du : du_) du = places.give(largest);
  return places.needed();
}

template <class Tableau>
void RosenbrockTangents<Tableau>::sweep(std::span<const Seed> seeds, const AtStop& at_stop, const StopFlag* given_up) {
  std::fill_n(out_, place_of(columns_, 0), 0.0);
  each_group([](auto& group) { group.begin(); });
  begin_jumps(seeds);
  std::size_t passed = 0;
  if (!lane_.stop_slot.empty() && lane_.stop_slot[0] == 0) at_stop(static_cast<int>(passed++));
  for (int slot = 0; slot < lane_.steps && !is_raised(given_up); ++slot) {
    const int q = slot % side_by_side;
    if (q == 0) recall(slot);
    linearize_stages(q);
    const LinearizedStep step = linearized_step(q);
    each_group([&](auto& group) { group.push_forward(step, du_); });
    jump_after(slot + 1, q);
    if (passed < lane_.stop_slot.size() && lane_.stop_slot[passed] == slot + 1) at_stop(static_cast<int>(passed++));
  }
}

template <class Tableau>
void RosenbrockTangents<Tableau>::begin_jumps(std::span<const Seed> seeds) {
  if (!jumps_) return;
  std::vector<LaneJumps::AlongParameter> along;
  for (const auto& [column, row, value] : seeds)
    if (row >= model_.states) along.push_back({column, row - model_.states, value});
  jumps_->begin_forward(lane_.frozen, columns_, std::move(along));
  jump_after(0, 0);
}

// What happens after so many slots, the last of which is step q of those at hand.
template <class Tableau>
void RosenbrockTangents<Tableau>::jump_after(int slots, int q) {
  if (!jumps_ || !jumps_->concerns_forward(slots)) return;
  const auto by_time = [&](double dt, double dh, double* out) {
    rosenbrock_step_by_time<Tableau>(model_, jumps_->model(), {x_ + q, side_by_side}, {t_[q], h_[q], dt, dh}, out);
  };
  handed_out(0);
  jumps_->forward(slots, by_time, [&](int c) {
    return Strided{out_ + place_of(c, 0), static_cast<std::size_t>(lane_.lanes)};
  });
  each_number([&](int c, int state, double& number) { number = out_[place_of(c, state)]; });
}

// --- eight steps -----------------------------------------------------------------------------------------------------

// Brings x, u_i and X_i of the steps from `first` on back, with their J factorised. Behind the last step it is
// repeated.
template <class Tableau>
void RosenbrockTangents<Tableau>::recall(int first) {
  for (int q = 0; q < side_by_side; ++q) {
    const int slot = std::min(first + q, lane_.steps - 1);
    if (slot == first + q) recall_begin(slot, q);
    set_frozen(slot, p_ + q, side_by_side);
    const int from = slot - first;
    t_[q] = lane_.time(slot);
    h_[q] = lane_.length(slot);
    for (int n = 0; n < model_.states; ++n) x_[n * side_by_side + q] = x_[n * side_by_side + from];
    for (int i = 0; i < s && lane_.stages_kept; ++i)
      for (int n = 0; n < model_.states; ++n)
        steps_.u[i][n * side_by_side + q] = lane_.of_stage(slot, i)[n * lane_.lanes];
  }
  steps_.linearize(x_, t_);
  if (lane_.stages_kept) {
    steps_.factorize(h_);
    steps_.form_stages(x_);
  } else {
    steps_.run_stages(x_, t_, h_);
  }
  scale_upper();
}

// Rows of U over their pivots: the way up waits for one number after the other, and so has less to do.
template <class Tableau>
void RosenbrockTangents<Tableau>::scale_upper() {
  if (!steps_.kernels.plan) return;
  using Steps = compile::Pack<side_by_side>;
  const compile::EliminationPlan& plan = *steps_.kernels.plan;
  const auto factor = [&](int place) { return Steps::load(steps_.solver.list() + place * side_by_side); };
  with_wide_registers<side_by_side>([&] {
    for (int n = 0; n < model_.states; ++n)
      for (int k = plan.upper_rows.start[n]; k < plan.upper_rows.start[n + 1]; ++k)
        (factor(plan.pivot[n]) * factor(plan.upper_rows.place[k])).store(up_ + k * side_by_side);
  });
}

// Where x was not kept, the step before leads to it again.
template <class Tableau>
void RosenbrockTangents<Tableau>::recall_begin(int slot, int q) {
  if (slot % lane_.x_every == 0) {
    for (int n = 0; n < model_.states; ++n) x_again_[n] = lane_.begin(slot)[n * lane_.lanes];
  } else {
    const std::array<double, 1> t{lane_.time(slot - 1)};
    set_frozen(slot - 1, p_again_, 1);
    again_->linearize(x_again_, t);
    again_->run_stages(x_again_, t, {lane_.length(slot - 1)});
    again_->write_end(x_again_);
    const Jump* jump = jumps_ ? last_jump_before(*lane_.jumps, slot) : nullptr;
    if (jump != nullptr && jump->slot == slot) std::copy(jump->after.begin(), jump->after.end(), x_again_);
  }
  for (int n = 0; n < model_.states; ++n) x_[n * side_by_side + q] = x_again_[n];
}

// --- one of them -----------------------------------------------------------------------------------------------------

template <class Tableau>
void RosenbrockTangents<Tableau>::linearize_stages(int q) {
  for (int n = 0; n < model_.states; ++n) {
    const std::size_t line = static_cast<std::size_t>(n) * side_by_side;
    std::fill_n(x_of_stages_ + line, side_by_side, x_[line + q]);
    for (int i = 0; i < side_by_side; ++i) {
      of_stages_[line + i] = steps_.stage[std::min(i, s - 1)][line + q];
      u_of_stages_[line + i] = steps_.u[std::min(i, s - 1)][line + q];
    }
  }
  for (int k = jumps_ ? model_.discontinuities->first : model_.parameters; k < model_.parameters; ++k)
    std::fill_n(p_of_stages_ + static_cast<std::size_t>(k) * side_by_side, side_by_side, p_[k * side_by_side + q]);
  Lanes begin{};
  Lanes time{};
  for (int i = 0; i < side_by_side; ++i) {
    begin[i] = t_[q];
    time[i] = t_[q] + Tableau::alpha[std::min(i, s - 1)] * h_[q];
    weights_[i] = Tableau::gamma_sum[std::min(i, s - 1)] * h_[q];
  }
  model_.jacobian.template run<side_by_side>({.time = time.data(), .state = of_stages_, .parameter = p_of_stages_},
                                             steps_.work, jacobian_);
  steps_.kernels.curvature.template run<side_by_side>(
      {.time = begin.data(), .state = x_of_stages_, .parameter = p_of_stages_, .seed = u_of_stages_, .kept = weights_},
      steps_.work, curvature_);
}

}  // namespace salvo::integrate
