#pragma once

#include "integrate/coupled_sizes.hpp"
#include "integrate/explicit_runge_kutta.hpp"
#include "integrate/step_rules.hpp"
#include "integrate/stiffness.hpp"

// Forward: steps are tried in all lanes at once, and those that may stand are taken.
namespace salvo::integrate {

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::integrate(StepRule rule) {
  record_.begin(d_, s);
  rule.template measure_by<W>(launch_.x0, dw_, absolute_);
  Flight<StepRule> flight = take_off(rule);
  for (int under_way = flight.under_way(); under_way > 0; under_way = flight.under_way()) {
    record_.rhs += static_cast<long>(s) * under_way;
    const bool is_looked_into =
        ++flight.attempts > launch_.max_steps || rule.looks_into(flight.attempts) || launch_.is_stopped();
    if (record_.keeps_steps) make_room(record_.slots);
    if (switchboards_.any()) flight.memory_before = flight.memory;
    Lanes error{};
    bool all_stand = false;  // they nearly always do
    with_wide_registers<W>([&] {
      choose_steps(rule, flight);
      try_steps(flight.t, flight.h);
      rule.template judge<W>(d_, x_, x_new_, error_, error);
      rule.template adapt<W>(flight.memory, flight.h, error);
      all_stand = find_standing(flight.active, error, flight.accepted) && !is_looked_into && !switchboards_.any();
      if (!all_stand) return;
      if (record_.keeps_steps) keep_all_steps(flight.t, flight.h);
      move_all_lanes();
      go_on(rule, flight);
    });
    if (!all_stand) {
      judge_steps(rule, flight, error);
      if (switchboards_.any()) watch_switches(rule, flight);
      if (any(flight.accepted))
        with_wide_registers<W>([&] {
          if (record_.keeps_steps) keep_accepted_steps(flight.t, flight.h, flight.accepted);
          move_accepted_lanes(flight.accepted);
          go_on(rule, flight);
        });
    }
    if (switchboards_.any()) pass_switches(rule, flight);
    pass_stops(flight);
    if (switchboards_.any()) set_landings<StepRule>(flight);
    if (any(flight.is_stuck)) measure_by_neighbours(rule, flight);
    if (rule.foresees(flight.attempts)) diagnose_stiffness(rule, flight);
    if (std::exchange(flight.has_failed, false)) name_culprits(flight.t, flight.h);
  }
}

template <class Tableau, int W>
template <class StepRule>
auto ExplicitRungeKutta<Tableau, W>::take_off(const StepRule& rule) -> Flight<StepRule> {
  Flight<StepRule> flight{.t = launch_.begin};
  std::fill_n(flight.active.begin(), launch_.lanes, 1);
  for (int l = 0; l < W; ++l) {
    flight.stop[l] = launch_.stops[l].empty() ? flight.t[l] : launch_.stops[l].front();
    record_.stop_slot[l].reserve(launch_.stops[l].size());
    record_.x_stop[l].reserve(launch_.stops[l].size() * static_cast<std::size_t>(d_));
  }
  std::copy_n(launch_.x0, dw_, x_);
  if (switchboards_.any()) {
    take_off_with_switches(flight);
    rule.template passed<W>(x_, dw_);
  }
  look_for_zeros(rule, flight, flight.active);
  set_time(0, flight.t, Lanes{});
  eval(x_, k_[0]);
  with_wide_registers<W>([&] { rule.template begin<W>(*this, launch_, d_, x_, k_[0], flight.memory); });
  record_.rhs += launch_.lanes;
  return flight;
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::choose_steps(const StepRule& rule, Flight<StepRule>& flight) {
  rule.template choose<W>(flight.memory, flight.t, flight.stop, flight.h);
  for (int l = 0; l < W; ++l) flight.h[l] = flight.active[l] != 0 ? flight.h[l] : 0.0;
  if (switchboards_.any()) cut_steps(rule, flight);
}

// --- one attempt ---------------------------------------------------------------------------------------------------

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::try_steps(const Lanes& t, const Lanes& h) {
  if (!has_whole_steps_) return try_stage_by_stage(t, h);
  std::copy_n(h.data(), W, seed_);
  model_.whole.step.template run<W>({.time = t.data(), .state = x_, .parameter = parameters_.packs(), .seed = seed_},
                                    work_, yield_);
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::try_stage_by_stage(const Lanes& t, const Lanes& h) {
  unrolled<1, s>([&](auto i) {
    double* stage = yield_ + (i() - 1) * dw_;
    advance<i()>(x_, h, Tableau::a[i()], stage);
    set_time(i(), t, h);
    eval(stage, k_[i()]);
  });
  advance<s>(x_, h, Tableau::b, x_new_);
  for (int l = 0; l < W; ++l) time_[l] = t[l] + h[l];
  eval(x_new_, k_[s]);
  if constexpr (Tableau::is_adaptive) {
    const Numbers step = Numbers::load(h.data());
    for (std::size_t n = 0; n < dw_; n += W) (step * weighted_sum<s + 1>(Tableau::error, k_, n)).store(error_ + n);
  }
}

// --- its verdict ---------------------------------------------------------------------------------------------------

// True if the steps of all lanes stand.
template <class Tableau, int W>
bool ExplicitRungeKutta<Tableau, W>::find_standing(const Mask& active, const Lanes& error, Mask& accepted) {
  std::int64_t rejected = 0;
  for (int l = 0; l < W; ++l) accepted[l] = error[l] <= 1 ? active[l] : 0;
  for (int l = 0; l < W; ++l) rejected |= active[l] - accepted[l];
  return rejected == 0;
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::judge_steps(const StepRule& rule, Flight<StepRule>& flight, const Lanes& error) {
  Mask& accepted = flight.accepted;
  const bool too_many = flight.attempts > launch_.max_steps;
  const bool is_stopped = launch_.is_stopped();
  const StepEnds ends{.x = x_, .x_new = x_new_, .last_stage = stage_[s - 1], .f_new = k_[s], .f_last = k_[s - 1]};
  for (int l = 0; l < W; ++l) {
    if (flight.active[l] == 0) continue;
    // The first stage is where the step begins: no shorter step can help.
    if (StepRule::has_shorter_steps && !std::isfinite(error[l]) && first_not_finite(l, k_[0]) >= 0)
      fail(rule, flight, l, Outcome::equation_not_finite);
    else if (accepted[l] == 0 && !rule.template shorten<W>(flight.memory, l, flight.t[l], flight.h[l], error[l]))
      fail(rule, flight, l, StepRule::when_too_short);
    else if (accepted[l] != 0 &&
             rule.template is_stiff<W>(flight.memory, l, d_, flight.h[l], record_.steps[l] + 1, ends))
      fail(rule, flight, l, Outcome::stiff);
    else if (too_many)
      fail(rule, flight, l, Outcome::too_many_steps);
    else if (is_stopped)
      fail(rule, flight, l, Outcome::stopped);
    if (flight.active[l] == 0) accepted[l] = 0;
    if (accepted[l] != 0 || flight.active[l] == 0) continue;
    flight.rejected[l] = std::exchange(flight.rejected_at[l], flight.t[l]) == flight.t[l] ? flight.rejected[l] + 1 : 1;
    flight.is_stuck[l] = flight.rejected[l] == twice ? 1 : 0;
  }
}

// Lanes with states that have been zero so far.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::look_for_zeros(const StepRule& rule, Flight<StepRule>& flight, const Mask& lanes) {
  if constexpr (StepRule::measures_errors) {
    for (std::size_t n = 0; n < dw_; ++n)
      if (absolute_[n] == 0) flight.is_stuck[n % W] = lanes[n % W];
    if (any(flight.is_stuck)) measure_by_neighbours(rule, flight);
  }
}

// States so near zero that no step stands are measured by what flows into them.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::measure_by_neighbours(const StepRule& rule, Flight<StepRule>& flight) {
  if constexpr (StepRule::measures_errors) {
    const Mask lanes = std::exchange(flight.is_stuck, {});
    if (rule.scale.atol) return;
    const auto linearize = [&](const Lanes& time, const double* x) {
      std::copy_n(time.data(), W, time_);
      eval(x, k_[s]);
      model_.jacobian.template run<W>({.time = time_, .state = x, .parameter = parameters_.packs()}, work_,
                                      nonzeros_[0]);
      return Linearized{k_[s], nonzeros_[0]};
    };
    const std::vector<double> least =
        least_by_neighbours<W>(rule.scale, model_.rows, flight.t, launch_.ends(), x_, x_new_, linearize);
    for (std::size_t n = 0; n < dw_; ++n)
      if (lanes[n % W] != 0) absolute_[n] = std::max(absolute_[n], least[n]);
  }
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::fail(const StepRule& rule, Flight<StepRule>& flight, int l, Outcome outcome) {
  record_.ending[l] = {
      .outcome = outcome, .time = flight.t[l], .state = rule.template worst_state<W>(l, d_, x_, x_new_, error_)};
  flight.active[l] = 0;
  flight.has_failed = true;
}

// Lanes for which very many steps lie ahead end here, if an eigenvalue of f_x says that steps for stiff equations would
// be fewer.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::diagnose_stiffness(const StepRule& rule, Flight<StepRule>& flight) {
  Lanes left{};
  Mask asked{};
  for (int l = 0; l < W; ++l) {
    left[l] = flight.active[l] != 0 ? launch_.stops[l].back() - flight.t[l] : 0;
    asked[l] = left[l] > rule.many_steps * flight.memory.h[l] ? 1 : 0;
  }
  if (!any(asked)) return;
  model_.jacobian.template run<W>({.time = flight.t.data(), .state = x_, .parameter = parameters_.packs()}, work_,
                                  nonzeros_[0]);
  std::vector<double> room(2 * static_cast<std::size_t>(d_));
  for (int l = 0; l < W; ++l) {
    if (asked[l] == 0) continue;
    const double rate = fastest_decay(model_.rows, nonzeros_[0] + l, W, room);
    if (foretells_stiffness(rate, left[l], rule.template visible_rate<W>(l, d_, x_, k_[0])))
      fail(rule, flight, l, Outcome::stiff);
  }
}

template <class Tableau, int W>
int ExplicitRungeKutta<Tableau, W>::first_not_finite(int l, const double* numbers) const {
  for (int n = 0; n < d_; ++n)
    if (!std::isfinite(numbers[n * W + l])) return n;
  return -1;
}

// Where something was not finite, the state whose equation was so first: later stages hand it on to states that are not
// to blame.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::name_culprits(const Lanes& t, const Lanes& h) {
  if (has_whole_steps_) try_stage_by_stage(t, h);
  for (int l = 0; l < launch_.lanes; ++l) {
    if (record_.ending[l].ok() || record_.ending[l].time != t[l]) continue;
    int state = -1;
    for (int i = 0; i <= s && state < 0; ++i) state = first_not_finite(l, k_[i]);
    if (state < 0) state = first_not_finite(l, x_new_);
    if (state >= 0) record_.ending[l].state = state;
  }
}

// --- keeping steps -------------------------------------------------------------------------------------------------

// Lanes whose step stands are where it ends.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::go_on(const StepRule& rule, Flight<StepRule>& flight) {
  rule.template passed<W>(x_, dw_);
  ++record_.slots;
  for (int l = 0; l < W; ++l) {
    const bool at_stop = rule.template reaches_stop<W>(flight.memory, l, flight.stop[l] - flight.t[l]);
    flight.at_stop[l] = at_stop ? flight.accepted[l] : 0;
    const double ahead = at_stop ? flight.stop[l] : flight.t[l] + flight.h[l];
    flight.t[l] = flight.accepted[l] != 0 ? ahead : flight.t[l];
  }
  for (int l = 0; l < W; ++l) record_.steps[l] += static_cast<int>(flight.accepted[l]);
}

// Notes the state of lanes that have come to a stop, and gives them the next one.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::pass_stops(Flight<StepRule>& flight) {
  if (!any(flight.at_stop)) return;
  for (int l = 0; l < W; ++l) {
    if (std::exchange(flight.at_stop[l], 0) == 0) continue;
    record_.stop_slot[l].push_back(record_.slots);
    for (int n = 0; n < d_; ++n) record_.x_stop[l].push_back(x_[n * W + l]);
    const std::size_t passed = record_.stop_slot[l].size();
    flight.active[l] = passed < launch_.stops[l].size() ? 1 : 0;
    if (flight.active[l] != 0) flight.stop[l] = launch_.stops[l][passed];
  }
}

// Where stages are too many to be kept, the first of each step must do.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::make_room(std::size_t slot) {
  if (slot < slots_with_room_) return;
  const auto at_least = [](std::vector<double>& numbers, std::size_t size) {
    if (numbers.size() < size) numbers.resize(size);
  };
  at_least(record_.t, (slot + 1) * W);
  at_least(record_.h, (slot + 1) * W);
  if (record_.stages_kept && (slot + 1) * s * (dw_ + kw_) * sizeof(double) > record_.stage_budget) {
    at_least(record_.x, slot * dw_);
    for (std::size_t n = 0; n < slot; ++n)
      std::copy_n(record_.stage.data() + n * s * dw_, dw_, record_.x.data() + n * dw_);
    record_.stages_kept = false;
    record_.stage = {};
    record_.kept = {};
  }
  at_least(record_.stages_kept ? record_.stage : record_.x, (slot + 1) * (record_.stages_kept ? s * dw_ : dw_));
  if (record_.stages_kept) at_least(record_.kept, (slot + 1) * s * kw_);
  slots_with_room_ = slots_that_fit();
}

// Records are used again: there may be room for many more slots than one.
template <class Tableau, int W>
std::size_t ExplicitRungeKutta<Tableau, W>::slots_that_fit() const {
  const auto fit = [](std::size_t numbers, std::size_t of_slot) { return numbers / std::max<std::size_t>(of_slot, 1); };
  const std::size_t times = std::min(fit(record_.t.size(), W), fit(record_.h.size(), W));
  if (!record_.stages_kept) return std::min(times, fit(record_.x.size(), dw_));
  const std::size_t stages = fit(record_.stage.size(), s * dw_);
  const std::size_t kept = kw_ > 0 ? fit(record_.kept.size(), s * kw_) : stages;
  return std::min({times, stages, kept, fit(record_.stage_budget, s * (dw_ + kw_) * sizeof(double))});
}

// A lane that is not under way has taken a step of length zero.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::keep_all_steps(const Lanes& t, const Lanes& h) {
  const std::size_t slot = record_.slots;
  copy(t.data(), W, record_.t.data() + slot * W);
  copy(h.data(), W, record_.h.data() + slot * W);
  if (record_.stages_kept) {
    double* stages = record_.stage.data() + slot * s * dw_;
    copy(x_, dw_, stages);
    copy(yield_, (s - 1) * dw_, stages + dw_);
    for (int i = 0; i < s && kw_ > 0; ++i) copy(kept_[i], kw_, record_.kept.data() + (slot * s + i) * kw_);
  } else {
    copy(x_, dw_, record_.x.data() + slot * dw_);
  }
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::move_all_lanes() {
  copy(x_new_, dw_, x_);
  copy(k_[s], dw_ + kw_, k_[0]);
}

// Where a step does not stand, the lane is kept where it is, with h = 0.
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::keep_accepted_steps(const Lanes& t, const Lanes& h, const Mask& accepted) {
  const std::size_t slot = record_.slots;
  const Lanes none{};
  copy(t.data(), W, record_.t.data() + slot * W);
  copy_accepted(accepted, h.data(), none.data(), W, record_.h.data() + slot * W);
  if (record_.stages_kept) {
    for (int i = 0; i < s; ++i)
      copy_accepted(accepted, stage_[i], x_, dw_, record_.stage.data() + (slot * s + i) * dw_);
    for (int i = 0; i < s && kw_ > 0; ++i)
      copy_accepted(accepted, kept_[i], kept_[0], kw_, record_.kept.data() + (slot * s + i) * kw_);
  } else {
    copy(x_, dw_, record_.x.data() + slot * dw_);
  }
}

template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::move_accepted_lanes(const Mask& accepted) {
  copy_accepted(accepted, x_new_, x_, dw_, x_);
  copy_accepted(accepted, k_[s], k_[0], dw_ + kw_, k_[0]);
}

}  // namespace salvo::integrate
