#pragma once

#include "base/wide_registers.hpp"
#include "integrate/explicit_runge_kutta.hpp"
#include "integrate/work.hpp"

// The sweeps over recorded steps, which give the exact derivatives of the numbers that were computed.
namespace salvo::integrate {

// --- stages again, for the sweeps ----------------------------------------------------------------------------------

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::recall_stages(int slot, Lanes& t, Lanes& h) {
  std::copy_n(record_.t.data() + static_cast<std::size_t>(slot) * W, W, t.data());
  std::copy_n(record_.h.data() + static_cast<std::size_t>(slot) * W, W, h.data());
  if (record_.stages_kept) {
    const std::size_t first = static_cast<std::size_t>(slot) * s;
    for (int i = 0; i < s; ++i) stage_[i] = record_.stage.data() + (first + i) * dw_;
    for (int i = 0; i < s && kw_ > 0; ++i) kept_[i] = record_.kept.data() + (first + i) * kw_;
    return;
  }
  const double* x = record_.x.data() + slot * dw_;
  unrolled<0, s>([&](auto i) {
    double* stage = again_ + i() * dw_;
    advance<i()>(x, h, Tableau::a[i()], stage);
    set_time(i(), t, h);
    eval(stage, k_[i()]);
  });
  for (int i = 0; i < s; ++i) {
    stage_[i] = again_ + i * dw_;
    kept_[i] = std::copy_n(k_[i] + dw_, kw_, kept_again_ + i * kw_) - kw_;
  }
}

// The Jacobian at every stage of a slot, its non-zeros as the kernel gives them (rows of f_x, then of f_p; lanes side
// by side) or by columns, lane after lane.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::linearize_stages(const Lanes& t, const Lanes& h, Order order) {
  const compile::Lines& columns = model_.columns;
  if constexpr (W == 1) {
    if (!model_.jacobian.template is_native<1>()) return interpret_stages(t[0], h[0], order);
  }
  for (int i = 0; i < s; ++i) {
    set_time(i, t, h);
    double* out = order == Order::rows ? nonzeros_[i] : kernel_output_;
    model_.jacobian.template run<W>({.time = time_, .state = stage_[i], .parameter = parameters_.packs()}, work_, out);
    if (order == Order::rows) continue;
    const std::size_t size = columns.size();
    for (std::size_t k = 0; k < size; ++k)
      for (int l = 0; l < W; ++l)
        nonzeros_[i][l * size + k] = kernel_output_[static_cast<std::size_t>(columns.place[k]) * W + l];
  }
}

// This sweep is of one lane, by the interpreter, which takes eight stages in little more time than one.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::interpret_stages(double t, double h, Order order) {
  constexpr int side_by_side = 8;
  static_assert(s <= side_by_side);
  const std::size_t size = model_.columns.size();
  const auto packs = [](std::size_t count) { return count * side_by_side; };
  Places places(nullptr);
  const auto lay_out = [&](double* base) {
    places = Places(base);
    return std::array{places.give(side_by_side), places.give(packs(d_)), places.give(packs(model_.parameters)),
                      places.give(packs(model_.jacobian.work_size())), places.give(packs(size))};
  };
  lay_out(nullptr);
  const auto [time, state, p, work, out] = lay_out(side_by_side_.take(places.needed()));
  for (int i = 0; i < side_by_side; ++i) {
    const int stage = std::min(i, s - 1);
    time[i] = t + Tableau::c[stage] * h;
    for (int n = 0; n < d_; ++n) state[n * side_by_side + i] = stage_[stage][n];
    for (int k = 0; k < model_.parameters; ++k) p[k * side_by_side + i] = parameters_.packs()[k];
  }
  model_.jacobian.template run<side_by_side>({.time = time, .state = state, .parameter = p}, work, out);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t place = order == Order::rows ? k : model_.columns.place[k];
    for (int i = 0; i < s; ++i) nonzeros_[i][k] = out[place * side_by_side + i];
  }
}

// --- tangents ------------------------------------------------------------------------------------------------------
// docs/mathematics.md, eq. 9:
//   T_i = T + h sum_{j<i} a_ij K_j,   K_i = f_x(X_i) T_i + f_p(X_i) dp,   T+ = T + h sum b_i K_i
// A step takes one group of columns after the other: enough of them that loops are long, few enough that what they need
// stays close to the processor.

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent(const Seeds<W>& seeds, const TangentSink& sink) {
  if (sweeps_whole_steps())
    tangent_by_whole_steps(seeds, sink);
  else
    tangent_by_stages(seeds, sink);
}

// Step after step; jumped(l, slot, by_time) takes lane l through what happens after so many slots, if there are jumps
// at all; at stops the sink gets what of_lane(l) gives.
template <class Tableau, int W>
template <class Step, class OfLane, class Jumped>
void ExplicitRungeKutta<Tableau, W>::sweep_forward(const Step& step, const OfLane& of_lane, const TangentSink& sink,
                                                   const Jumped& jumped) {
  std::array<std::size_t, W> passed{};  // stops behind us
  Lanes t{};
  Lanes h{};
  const auto jump_after = [&](int slots) {
    for (int l = 0; l < launch_.lanes && jumps_; ++l) jumped(l, slots, by_time_of_lane(l, t, h));
  };
  const auto stop_after = [&](int slots) {
    for (int l = 0; l < launch_.lanes; ++l) {
      if (passed[l] == record_.stop_slot[l].size() || record_.stop_slot[l][passed[l]] != slots) continue;
      sink(l, static_cast<int>(passed[l]), of_lane(l));
      ++passed[l];
    }
  };
  jump_after(0);
  stop_after(0);
  for (int slot = 0; slot < record_.slots && !launch_.is_stopped(); ++slot) {
    recall_stages(slot, t, h);
    step(t, h);
    jump_after(slot + 1);
    stop_after(slot + 1);
  }
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent_by_stages(const Seeds<W>& seeds, const TangentSink& sink) {
  std::vector<Group> groups = column_groups(seeds);
  begin_jumps();
  for (int l = 0; l < launch_.lanes && jumps_; ++l) {
    std::vector<LaneJumps::AlongParameter> along;
    append_along_p(seeds.of_lane[l], d_, along);
    jumps_->begin_forward(l, seeds.columns[l], std::move(along));
  }
  const auto jumped = [&](int l, int slot, const StepByTime& by_time) {
    const auto column = [&](int c) {
      const Group& group = groups[c / group_width()];
      return Strided{group.T + static_cast<std::size_t>(c - group.first) * W + l,
                     static_cast<std::size_t>(group.width) * W};
    };
    if (!jumps_->forward(l, slot, by_time, column)) return;
    for (Group& group : groups)
      for (int i = 0; i < d_; ++i) group.reached.add(i);
  };
  const auto step = [&](const Lanes& t, const Lanes& h) {
    linearize_stages(t, h, Order::rows);
    with_wide_registers<W * beside>([&] {
      for (Group& group : groups) {
        if (!group.reached.is_wide()) group.reached.widen(model_.columns, s);
        if (group.reached.is_wide())
          push_forward(group, h, All{d_});
        else
          push_forward(group, h, Some{group.reached.members()});
      }
    });
  };
  sweep_forward(
      step,
      [&](int l) {
        for (const Group& group : groups) hand_out(group, l);
        return tangent_out_;
      },
      sink, jumped);
}

// T+ = dx+/dx T + [0 dx+/dp], one formula for all columns of (x, p). What is wanted is made of them at the stops.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::tangent_by_whole_steps(const Seeds<W>& seeds, const TangentSink& sink) {
  double* from = whole_tangent_;  // h, and behind it T
  double* to = whole_tangent_out_;
  std::fill_n(from, W + dw_ * (d_ + model_.active), 0.0);
  for (int i = 0; i < d_; ++i) std::fill_n(from + W + (i + i * static_cast<std::size_t>(d_)) * W, W, 1.0);
  const auto step = [&](const Lanes& t, const Lanes& h) {
    std::copy_n(h.data(), W, from);
    model_.whole.push.template run<W>(
        {.time = t.data(), .state = stage_[0], .parameter = parameters_.packs(), .seed = from, .kept = stage_[1]},
        work_, to + W);
    std::swap(from, to);
  };
  sweep_forward(
      step,
      [&](int l) {
        hand_out(from + W, seeds.of_lane[l], seeds.columns[l], l);
        return tangent_out_;
      },
      sink, [](int, int, const StepByTime&) {});
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::hand_out(const double* whole, std::span<const Seed> seeds, int columns, int l) {
  for (std::size_t n = l; n < dw_ * columns; n += W) tangent_out_[n] = 0;
  for (const auto& [column, row, value] : seeds) {
    const double* from = whole + row * dw_ + l;
    double* to = tangent_out_ + column * dw_ + l;
    for (std::size_t n = 0; n < dw_; n += W) to[n] += value * from[n];
  }
}

// What the columns of a group can reach begins with x0_i at its own place, and p_k at the rows of f_p that hold it.
template <class Tableau, int W>
auto ExplicitRungeKutta<Tableau, W>::column_groups(const Seeds<W>& seeds) -> std::vector<Group> {
  std::vector<Group> groups;
  const int columns = static_cast<int>(columns_);
  for (int first = 0; first < columns; first += group_width()) {
    const int width = std::min(group_width(), columns - first);
    groups.push_back({.first = first, .width = width, .T = tangent_ + first * dw_, .reached = Support(d_)});
  }
  std::fill_n(tangent_, dw_ * columns_, 0.0);
  for (int l = 0; l < launch_.lanes; ++l) {
    for (const auto& [column, row, value] : seeds.of_lane[l]) {
      Group& group = groups[column / group_width()];
      const int place = column - group.first;
      if (row < d_) {
        group.T[(static_cast<std::size_t>(row) * group.width + place) * W + l] += value;
        group.reached.add(row);
      } else {
        group.entry_along(place, row).value[l] += value;
        group.reached.add_line(model_.columns, row);
      }
    }
  }
  // Whatever the neighbours bring, a lane takes its parameters in the same order.
  for (Group& group : groups) std::sort(group.along_p.begin(), group.along_p.end());
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
  const Line step = of_lanes(h.data());
  unrolled<0, s>([&](auto i) {
    for (int k = 0; k < states.size(); ++k) {
      const std::size_t from = states[k] * line;
      for (std::size_t n = from; n < from + line; n += W * beside)
        (Line::load(group.T + n) + step * weighted_sum<i(), Line>(Tableau::a[i()], k_tangent_, n))
            .store(stage_tangent_ + n);
    }
    double* K = k_tangent_[i()];
    for (int k = 0; k < states.size(); ++k) multiply(states[k], line, nonzeros_[i()], K + states[k] * line);
    for (const auto& [column, row, value] : group.along_p) {
      for (int k = columns.start[row]; k < columns.start[row + 1]; ++k) {
        double* to = K + columns.across[k] * line + column * W;
        const double* nonzero = nonzeros_[i()] + columns.place[k] * W;
        // A lane that does not move this parameter is not touched by a pole of f_p.
        for (int l = 0; l < W; ++l) to[l] += value[l] != 0 ? value[l] * nonzero[l] : 0.0;
      }
    }
  });
  for (int k = 0; k < states.size(); ++k) {
    const std::size_t from = states[k] * line;
    for (std::size_t n = from; n < from + line; n += W * beside)
      (Line::load(group.T + n) + step * weighted_sum<s, Line>(Tableau::b, k_tangent_, n)).store(group.T + n);
  }
}

// Row i of f_x times the stage tangents of a group.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::multiply(int i, std::size_t line, const double* nonzeros, double* out) const {
  const int begin = model_.rows.start[i];
  const int end = model_.rows.start[i + 1];
  for (std::size_t n = 0; n < line; n += W * beside) {
    Line sum = Line::all(0);
    for (int k = begin; k < end; ++k)
      sum = sum + of_lanes(nonzeros + k * W) * Line::load(stage_tangent_ + model_.rows.across[k] * line + n);
    sum.store(out + n);
  }
}

}  // namespace salvo::integrate
