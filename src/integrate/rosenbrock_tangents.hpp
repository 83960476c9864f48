#pragma once

#include <algorithm>
#include <optional>

#include "integrate/integrator.hpp"
#include "integrate/rosenbrock_by_time.hpp"
#include "integrate/rosenbrock_step.hpp"

namespace salvo::integrate {

// Forward over the recorded steps of one trajectory. J depends on x and p, so second derivatives of f belong to the
// derivative of a step:
//   (s I - J) du_i = f_x(X_i) dX_i + C_i dx + [f_p(X_i) + D_i] dp + sum_{j<i} c_ij/h du_j,
//   dX_i = dx + sum_{j<i} a_ij du_j,   [C_i D_i] = d(J u_i + gamma_i h f_t) / d(x, p)
// None of these matrices knows the direction (dx, dp). They are made once for each step, its stages side by side as
// lanes of the kernels, and the linear equations are factorised for eight steps side by side; then the directions,
// `wide` of them side by side in their turn, pass step after step.
template <class Tableau, int wide>
class RosenbrockTangents {
 public:
  RosenbrockTangents(const compile::CompiledModel& model, const RecordedLane& lane, const double* parameters,
                     int columns, Scratch& scratch)
      : model_(model), lane_(lane), columns_(columns), steps_(model, nullptr, side_by_side) {
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
    for (int c = 0; c < columns_; ++c) {
      const auto [group, place] = place_of(c);
      double* to = out_ + static_cast<std::size_t>(c) * model_.states * lane_.lanes + l;
      for (int i = 0; i < model_.states; ++i) to[i * lane_.lanes] = group[i * wide + place];
    }
    return out_;
  }

 private:
  static constexpr int s = Tableau::stages;
  static constexpr int side_by_side = 8;  // stages of a step, or steps
  static_assert(s <= side_by_side);
  using Step = RosenbrockStep<Tableau, side_by_side>;
  using Lanes = typename Step::Lanes;
  using Numbers = compile::Pack<wide>;

  struct PlaceOfColumn {
    double* group;
    int place;
  };
  PlaceOfColumn place_of(int column) const {
    return {tangents_ + static_cast<std::size_t>(column / wide) * model_.states * wide, column % wide};
  }
  int groups() const { return (columns_ + wide - 1) / wide; }
  std::size_t lay_out(double* base);
  void begin(std::span<const Seed> seeds);
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
  void linearize_stages(int q);
  void push_forward(int q, double* T, std::span<const Seed> along_p);
  template <int i>
  void form_stage(const double* T);
  template <int i>
  void form_side(const double* T, double by_h);
  void add_parameters(int i, std::span<const Seed> along_p, double* side) const;
  void solve(int q, double* side);

  const compile::CompiledModel& model_;
  RecordedLane lane_;
  int columns_;
  Step steps_;                                       // eight of them
  std::optional<RosenbrockStep<Tableau, 1>> again_;  // one that leads to a state that was not kept
  std::optional<LaneJumps> jumps_{};
  Lanes t_{}, h_{};
  double *p_, *p_of_stages_, *p_again_, *x_, *x_again_;
  double *of_stages_, *u_of_stages_, *x_of_stages_, *weights_;  // of one step, stages as lanes
  double *jacobian_, *curvature_;                               // [f_x f_p] and [C D] of its stages
  double *tangents_, *stage_tangent_, *out_;
  std::array<double*, s> du_{};
  std::vector<std::vector<Seed>> along_p_;  // of each group; columns counted from its first
};

template <class Tableau, int wide>
std::size_t RosenbrockTangents<Tableau, wide>::lay_out(double* base) {
  Places places(base);
  const auto packs = [](int count) { return static_cast<std::size_t>(count) * side_by_side; };
  const std::size_t group = static_cast<std::size_t>(model_.states) * wide;
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
  jacobian_ = places.give(packs(model_.columns.size()));
  curvature_ = places.give(packs(steps_.kernels.curvature.output_count()));
  tangents_ = places.give(group * groups());
  stage_tangent_ = places.give(group);
  out_ = places.give(static_cast<std::size_t>(model_.states) * columns_ * lane_.lanes);
  for (double*& du : du_) du = places.give(group);
  return places.needed();
}

template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::sweep(std::span<const Seed> seeds, const AtStop& at_stop,
                                              const StopFlag* given_up) {
  begin(seeds);
  begin_jumps(seeds);
  std::size_t passed = 0;
  if (!lane_.stop_slot.empty() && lane_.stop_slot[0] == 0) at_stop(static_cast<int>(passed++));
  for (int slot = 0; slot < lane_.steps && !is_raised(given_up); ++slot) {
    const int q = slot % side_by_side;
    if (q == 0) recall(slot);
    linearize_stages(q);
    with_wide_registers<wide>([&] {
      for (int g = 0; g < groups(); ++g) push_forward(q, place_of(g * wide).group, along_p_[g]);
    });
    jump_after(slot + 1, q);
    if (passed < lane_.stop_slot.size() && lane_.stop_slot[passed] == slot + 1) at_stop(static_cast<int>(passed++));
  }
}

template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::begin(std::span<const Seed> seeds) {
  std::fill_n(tangents_, static_cast<std::size_t>(model_.states) * wide * groups(), 0.0);
  along_p_.assign(groups(), {});
  for (const auto& [column, row, value] : seeds) {
    const auto [group, place] = place_of(column);
    if (row < model_.states)
      group[row * wide + place] += value;
    else
      along_p_[column / wide].push_back({place, row, value});
  }
}

template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::begin_jumps(std::span<const Seed> seeds) {
  if (!jumps_) return;
  std::vector<LaneJumps::AlongParameter> along;
  for (const auto& [column, row, value] : seeds)
    if (row >= model_.states) along.push_back({column, row - model_.states, value});
  jumps_->begin_forward(lane_.frozen, columns_, std::move(along));
  jump_after(0, 0);
}

// What happens after so many slots, the last of which is step q of those at hand.
template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::jump_after(int slots, int q) {
  if (!jumps_ || !jumps_->concerns_forward(slots)) return;
  const auto by_time = [&](double dt, double dh, double* out) {
    rosenbrock_step_by_time<Tableau>(model_, jumps_->model(), {x_ + q, side_by_side}, {t_[q], h_[q], dt, dh}, out);
  };
  jumps_->forward(slots, by_time, [&](int c) {
    const auto [group, place] = place_of(c);
    return Strided{group + place, wide};
  });
}

// --- eight steps -----------------------------------------------------------------------------------------------------

// Brings x, u_i and X_i of the steps from `first` on back, with their J factorised. Behind the last step it is
// repeated.
template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::recall(int first) {
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
  if (!lane_.stages_kept) return steps_.run_stages(x_, t_, h_);
  steps_.factorize(h_);
  steps_.form_stages(x_);
}

// Where x was not kept, the step before leads to it again.
template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::recall_begin(int slot, int q) {
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

template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::linearize_stages(int q) {
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

template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::push_forward(int q, double* T, std::span<const Seed> along_p) {
  const double by_h = 1 / h_[q];
  unrolled<0, s>([&](auto i) {
    form_stage<i()>(T);
    form_side<i()>(T, by_h);
    add_parameters(i(), along_p, du_[i()]);
    solve(q, du_[i()]);
  });
  for (int n = 0; n < model_.states * wide; n += wide)
    (Numbers::load(stage_tangent_ + n) + Numbers::load(du_[s - 1] + n)).store(T + n);
}

// Is X_i = X_(i-1) + u_(i-1)?
template <class Tableau>
constexpr bool follows(int i) {
  for (int j = 0; j < i; ++j)
    if (Tableau::a[i][j] != (j == i - 1 ? 1 : Tableau::a[i - 1][j])) return false;
  return i > 0;
}

template <class Tableau, int wide>
template <int i>
void RosenbrockTangents<Tableau, wide>::form_stage(const double* T) {
  for (int n = 0; n < model_.states * wide; n += wide) {
    if constexpr (follows<Tableau>(i)) {
      (Numbers::load(stage_tangent_ + n) + Numbers::load(du_[i - 1] + n)).store(stage_tangent_ + n);
    } else {
      Numbers sum = Numbers::load(T + n);
      unrolled<0, i>([&](auto j) { sum = sum + Tableau::a[i][j()] * Numbers::load(du_[j()] + n); });
      sum.store(stage_tangent_ + n);
    }
  }
}

// f_x(X_i) dX_i + C_i dx + sum_{j<i} c_ij/h du_j
template <class Tableau, int wide>
template <int i>
void RosenbrockTangents<Tableau, wide>::form_side(const double* T, double by_h) {
  const auto add_product = [](const compile::Lines& rows, int row, const double* nonzeros, const double* v,
                              Numbers& sum) {
    for (int k = rows.start[row]; k < rows.start[row + 1]; ++k)
      sum = sum + Numbers::all(nonzeros[k * side_by_side + i]) * Numbers::load(v + rows.across[k] * wide);
  };
  for (int row = 0; row < model_.states; ++row) {
    Numbers sum = Numbers::all(0);
    unrolled<0, i>([&](auto j) { sum = sum + Tableau::c[i][j()] * Numbers::load(du_[j()] + row * wide); });
    sum = by_h * sum;
    add_product(model_.rows, row, jacobian_, stage_tangent_, sum);
    add_product(steps_.kernels.curvature_rows, row, curvature_, T, sum);
    sum.store(du_[i] + row * wide);
  }
}

// [f_p(X_i) + D_i] dp
template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::add_parameters(int i, std::span<const Seed> along_p, double* side) const {
  for (const auto& [column, row, value] : along_p) {
    const auto add_line = [&](const compile::Lines& columns, const double* nonzeros) {
      for (int k = columns.start[row]; k < columns.start[row + 1]; ++k)
        side[columns.across[k] * wide + column] += value * nonzeros[columns.place[k] * side_by_side + i];
    };
    add_line(model_.columns, jacobian_);
    add_line(steps_.kernels.curvature_columns, curvature_);
  }
}

// (s I - J) du = side, in its place.
template <class Tableau, int wide>
void RosenbrockTangents<Tableau, wide>::solve(int q, double* side) {
  const double* factors = steps_.solver.factors(q);
  if (factors == nullptr) {
    for (int c = 0; c < wide; ++c) steps_.solver.pivoted(q).solve(side + c, side + c, wide);
    return;
  }
  const compile::EliminationPlan& plan = *steps_.kernels.plan;
  const auto reduced = [&](const compile::Lines& rows, int n) {
    Numbers sum = Numbers::load(side + plan.order[n] * wide);
    for (int k = rows.start[n]; k < rows.start[n + 1]; ++k)
      sum = sum + Numbers::all(factors[rows.place[k] * side_by_side]) * Numbers::load(side + rows.across[k] * wide);
    return sum;
  };
  for (int n = 0; n < model_.states; ++n) reduced(plan.lower_rows, n).store(side + plan.order[n] * wide);
  for (int n = model_.states - 1; n >= 0; --n)
    (factors[plan.pivot[n] * side_by_side] * reduced(plan.upper_rows, n)).store(side + plan.order[n] * wide);
}

}  // namespace salvo::integrate
