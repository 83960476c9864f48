#pragma once

#include <limits>

#include "integrate/coupled_sizes.hpp"
#include "integrate/rosenbrock.hpp"

// The way forward: steps are tried, judged lane by lane and kept.
namespace salvo::integrate {

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::integrate(const ErrorScale& scale) {
  record_.begin(d_, s);
  Flight flight = take_off(scale);
  while (flight.under_way()) {
    for (int l = 0; l < W; ++l)  // a lane that has ended goes on with numbers that nobody reads
      flight.h[l] = flight.active[l] ? length_of_step(flight, l) : 1.0;
    const auto before = flight.memory;
    step_.run_stages(x_, flight.t, flight.h);
    step_.write_end(x_new_);
    const Lanes error = errors(scale);
    Mask accepted{};
    for (int l = 0; l < W; ++l) accepted[l] = flight.active[l] && judge_step(scale, flight, l, error[l]);
    if (switchboards_.any()) watch_switches(flight, accepted, before);
    accept_steps(scale, flight, accepted);
    if (is_any_stuck(flight)) measure_by_neighbours(scale, flight);
    if (std::find(accepted.begin(), accepted.end(), true) == accepted.end()) continue;
    step_.linearize(x_, flight.t);
    if (consistency_.any()) watch_roots(flight, accepted);
  }
}

template <class Tableau, int W>
auto Rosenbrock<Tableau, W>::take_off(const ErrorScale& scale) -> Flight {
  Flight flight{.t = launch_.begin};
  std::fill_n(flight.active.begin(), launch_.lanes, true);
  std::copy_n(launch_.x0, dw_, x_);
  std::fill_n(by_neighbours_, dw_, 0.0);
  std::fill_n(vanished_, dw_, 0.0);
  if (switchboards_.any()) switchboards_.take_off(x_);
  scale.begin<W>(x_, dw_, absolute_);
  for (int l = 0; l < launch_.lanes && switchboards_.any(); ++l) {
    end_if_troubled(flight, l);
    if (!flight.active[l] || next_stop(l) > flight.t[l]) continue;
    switchboards_[l].stop_here();
    note_stop(l);
  }
  for (std::size_t n = 0; n < dw_; ++n) flight.is_stuck[n % W] = flight.is_stuck[n % W] || absolute_[n] == 0;
  if (is_any_stuck(flight)) measure_by_neighbours(scale, flight);
  step_.linearize(x_, flight.t);
  for (int l = 0; l < launch_.lanes && consistency_.any(); ++l) {
    roots_[l] = consistency_.determinant(step_.f_x() + l, W);
    if (!flight.active[l] || roots_[l].least_pivot > 0) continue;
    record_.ending[l] = {.outcome = Outcome::fold, .time = flight.t[l], .state = model_.algebraic.front()};
    flight.active[l] = false;
  }
  first_steps(scale, flight);
  return flight;
}

// The sign of det g_z belongs to a root: where it changes, two roots have met.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::watch_roots(Flight& flight, const Mask& accepted) {
  for (int l = 0; l < launch_.lanes; ++l) {
    if (!accepted[l] || !flight.active[l]) continue;
    const Consistency::Determinant now = consistency_.determinant(step_.f_x() + l, W);
    const bool has_jumped = switchboards_[l].has_jumped_at(flight.t[l]);  // another root may be the only one then
    if (has_jumped || now.sign == roots_[l].sign) {
      if (has_jumped) roots_[l] = now;
      continue;
    }
    record_.ending[l] = {.outcome = Outcome::fold, .time = flight.t[l], .state = model_.algebraic.front()};
    flight.active[l] = false;
  }
}

// States so near zero that no step stands are measured by what flows into them.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::measure_by_neighbours(const ErrorScale& scale, Flight& flight) {
  const Mask lanes = std::exchange(flight.is_stuck, {});
  if (scale.atol) return;
  const auto linearize = [&](const Lanes& time, const double* x) {
    step_.linearize(x, time);
    return Linearized{step_.linear, step_.f_x()};
  };
  const std::vector<double> least =
      least_by_neighbours<W>(scale, model_.rows, flight.t, launch_.ends(), x_, x_new_, linearize);
  for (std::size_t n = 0; n < dw_; ++n) {
    if (!lanes[n % W]) continue;
    by_neighbours_[n] = std::max(by_neighbours_[n], least[n]);
    absolute_[n] = std::max(absolute_[n], least[n]);
  }
  step_.linearize(x_, flight.t);
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::multiply_f_x(const double* v, double* out) const {
  const compile::Lines& rows = model_.rows;
  with_wide_registers<W>([&] {
    for (int i = 0; i < d_; ++i) {
      Numbers sum = Numbers::all(0);
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
        sum = sum + Numbers::load(step_.f_x() + static_cast<std::size_t>(rows.place[k]) * W) *
                        Numbers::load(v + static_cast<std::size_t>(rows.across[k]) * W);
      sum.store(out + static_cast<std::size_t>(i) * W);
    }
  });
}

// As for explicit methods ([HNW93] II.4, "starting step size"), with x'' = J f + f_t at hand.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::first_steps(const ErrorScale& scale, Flight& flight) {
  multiply_f_x(step_.linear, step_.side);
  for (int l = 0; l < W; ++l) {
    double slope = 0;
    double bend = 0;
    for (std::size_t n = l; n < dw_; n += W) {
      const double weight = scale.weight(x_[n], 0, absolute_[n]);
      if (!(weight > 0) || is_algebraic(static_cast<int>(n / W))) continue;
      const double second = step_.side[n] + (step_.kernels.uses_time ? step_.f_t()[n] : 0.0);
      slope += step_.linear[n] / weight * (step_.linear[n] / weight);
      bend += second / weight * (second / weight);
    }
    slope = std::sqrt(slope / d_);
    bend = std::sqrt(bend / d_);
    const double whole = launch_.stops[l].empty() ? 1.0 : launch_.stops[l].back() - launch_.begin[l];
    double h = std::min(whole, 1 / std::max(slope * scale.rtol, 1e-300) * 1e-2);  // a hundredth of its size
    if (bend > 0) h = std::min(h, 10 * std::sqrt(1 / bend) * std::pow(scale.rtol, -0.25));
    flight.memory[l].h = std::isfinite(h) && h > 0 ? h : 1e-6 * whole;
  }
}

template <class Tableau, int W>
double Rosenbrock<Tableau, W>::ratio(const ErrorScale& scale, std::size_t at) const {
  const double error = std::abs(step_.u[s - 1][at]);
  return error == 0 ? 0 : error / scale.weight(x_[at], x_new_[at], absolute_[at]);
}

// The mean over the states of the squares of `ratio`. Sums go through memory: in registers the compiler would take lane
// after lane. A state that was always zero and has no error needs no measure.
template <class Tableau, int W>
auto Rosenbrock<Tableau, W>::errors(const ErrorScale& scale) const -> Lanes {
  double* sum = step_.side;
  with_wide_registers<W>([&] {
    const double* error = step_.u[s - 1];
    const Numbers tiny = Numbers::all(std::numeric_limits<double>::min());
    Numbers::all(0).store(sum);
    for (std::size_t n = 0; n < dw_; n += W) {
      const Numbers largest = larger(size(Numbers::load(x_ + n)), size(Numbers::load(x_new_ + n)));
      const Numbers weight = Numbers::load(absolute_ + n) + scale.rtol * largest;
      const Numbers r = size(Numbers::load(error + n)) / larger(weight, tiny);
      (Numbers::load(sum) + r * r).store(sum);
    }
  });
  Lanes out{};
  for (int l = 0; l < W; ++l) out[l] = std::sqrt(sum[l] / d_);
  return out;
}

template <class Tableau, int W>
int Rosenbrock<Tableau, W>::worst_state(const ErrorScale& scale, int l) const {
  double worst = -1;
  int state = 0;
  for (int n = 0; n < d_; ++n) {
    const double r = ratio(scale, n * W + l);
    if (!(r <= worst)) worst = r, state = n;
  }
  return state;
}

template <class Tableau, int W>
bool Rosenbrock<Tableau, W>::judge_step(const ErrorScale& scale, Flight& flight, int l, double error) {
  record_.rhs += s;
  const auto fail = [&](Outcome outcome, int state) {
    record_.ending[l] = {.outcome = outcome, .time = flight.t[l], .state = state};
    flight.active[l] = false;
    return false;
  };
  for (int n = 0; n < d_ && !std::isfinite(error); ++n)
    if (!std::isfinite(step_.linear[n * W + l])) return fail(Outcome::equation_not_finite, n);
  if (launch_.is_stopped()) return fail(Outcome::stopped, 0);
  if (++flight.attempts[l] > launch_.max_steps) return fail(Outcome::too_many_steps, worst_state(scale, l));
  if (error <= 1) {
    StiffControl::accept(flight.memory[l], error);
    return true;
  }
  flight.is_stuck[l] = flight.memory[l].just_rejected;
  if (StiffControl::reject(flight.memory[l], flight.t[l], error)) return false;
  const bool is_fold = consistency_.any() && consistency_.determinant(step_.f_x() + l, W).least_pivot <
                                                 Consistency::near_fold * roots_[l].least_pivot;
  return fail(is_fold ? Outcome::fold : Outcome::step_too_small, worst_state(scale, l));
}

// A part of the size of a state after each step: one that vanishes over many powers of ten of time is followed all the
// way down, or it would slip below zero, where equations of chemistry run away.
inline constexpr double remembered = 0.1;

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::accept_steps(const ErrorScale& scale, Flight& flight, const Mask& accepted) {
  for (int l = 0; l < W; ++l) {
    if (!accepted[l]) continue;
    keep_step(l, flight.t[l], flight.h[l]);
    for (std::size_t n = l; n < dw_; n += W) {
      // One that falls has shown its own size.
      if (std::abs(x_new_[n]) < std::abs(x_[n])) by_neighbours_[n] *= remembered;
      x_[n] = x_new_[n];
    }
    for (std::size_t n = l; n < dw_ && !scale.atol; n += W) absolute_[n] *= remembered;
    const bool at_stop = flight.memory[l].at_stop;
    flight.t[l] = at_stop ? next_landing(l) : flight.t[l] + flight.h[l];
    if (switchboards_.any()) pass_switches(flight, l);
    if (!at_stop || !flight.active[l] || flight.t[l] < next_stop(l)) continue;
    note_stop(l);
    if (record_.stop_slot[l].size() == launch_.stops[l].size()) flight.active[l] = false;
  }
  with_wide_registers<W>([&] { scale.grow<W>(x_, dw_, by_neighbours_, vanished_, absolute_); });
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::note_stop(int l) {
  record_.stop_slot[l].push_back(record_.steps[l]);
  for (std::size_t n = l; n < dw_; n += W) record_.x_stop[l].push_back(x_[n]);
}

// --- discontinuities -------------------------------------------------------------------------------------------------

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::end_if_troubled(Flight& flight, int l) {
  const Ending& trouble = switchboards_[l].trouble();
  if (trouble.ok()) return;
  record_.ending[l] = trouble;
  flight.active[l] = false;
}

template <class Tableau, int W>
double Rosenbrock<Tableau, W>::length_of_step(Flight& flight, int l) const {
  StiffControl::Memory& memory = flight.memory[l];
  if (!switchboards_.any() || !switchboards_[l].is_searching())
    return StiffControl::next_step(memory, flight.t[l], next_landing(l));
  memory.at_stop = false;
  return memory.used = switchboards_[l].trial();
}

// Of the steps that are accurate enough, those stand in which no truth value changes before their end.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::watch_switches(Flight& flight, Mask& accepted,
                                            const std::array<StiffControl::Memory, W>& before) {
  if (switchboards_.watches()) {
    for (int l = 0; l < W; ++l) step_.time[l] = flight.t[l] + flight.h[l];
    model_.rhs.template run<W>({.time = step_.time, .state = x_new_, .parameter = parameters_.packs()}, step_.work,
                               step_.f_out);
    for (int l = 0; l < launch_.lanes && !model_.algebraic.empty(); ++l) {
      if (!accepted[l]) continue;
      for (int i = 0; i < d_; ++i) of_lane_[i] = x_new_[i * W + l];
      const std::vector<double>& velocity = switchboards_[l].velocity(step_.time[l], of_lane_.data());
      for (const int i : model_.algebraic) step_.f_out[i * W + l] = velocity[i];
    }
    switchboards_.measure(step_.time, x_new_, step_.f_out, step_.work);
  }
  for (int l = 0; l < launch_.lanes; ++l) {
    if (!flight.active[l]) continue;
    Switchboard& board = switchboards_[l];
    if (!accepted[l]) {
      board.give_up_search();
      continue;
    }
    const CrossingSearch::Reading end = switchboards_.reading(l);
    accepted[l] = board.judge(flight.t[l], flight.h[l], end);
    if (!accepted[l]) flight.memory[l] = before[l];
    end_if_troubled(flight, l);
    accepted[l] = accepted[l] && flight.active[l];
    if (accepted[l]) board.accept(record_.steps[l], end);
  }
}

// What is due where the step of a lane has ended acts.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::pass_switches(Flight& flight, int l) {
  Switchboard& board = switchboards_[l];
  if (board.is_due(flight.t[l])) {
    switchboards_.act(l, flight.t[l], record_.steps[l], x_);
    for (std::size_t n = l; n < dw_; n += W)
      flight.is_stuck[l] = flight.is_stuck[l] || (x_[n] == 0 && absolute_[n] == 0);
  }
  end_if_troubled(flight, l);
  if (flight.memory[l].at_stop && flight.t[l] == next_stop(l)) board.stop_here();
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::make_room(std::size_t slot) {
  const auto at_least = [](std::vector<double>& numbers, std::size_t count) {
    if (numbers.size() < count) numbers.resize(count);
  };
  at_least(record_.t, (slot + 1) * W);
  at_least(record_.h, (slot + 1) * W);
  // The state at the beginning is kept in any case, however little memory there is.
  const std::size_t states = slot / record_.x_every + 1;
  if (states > 1 && states * dw_ * sizeof(double) > record_.x_budget) thin_out();
  at_least(record_.x, (slot / record_.x_every + 1) * dw_);
  if (record_.stages_kept && (slot + 1) * s * dw_ * sizeof(double) > record_.stage_budget) {
    record_.stages_kept = false;
    if (slot > 0) record_.stage = {};  // otherwise none are wanted, this time
  }
  if (record_.stages_kept) at_least(record_.stage, (slot + 1) * s * dw_);
}

// Of the states that are kept, every other one is given up; stages are not kept then either.
template <class Tableau, int W>
void Rosenbrock<Tableau, W>::thin_out() {
  const std::size_t kept = record_.x.size() / dw_;
  for (std::size_t k = 1; 2 * k < kept; ++k)
    std::copy_n(record_.x.begin() + 2 * k * dw_, dw_, record_.x.begin() + k * dw_);
  record_.x_every *= 2;
  record_.stages_kept = false;
  record_.stage = {};
}

template <class Tableau, int W>
void Rosenbrock<Tableau, W>::keep_step(int l, double t, double h) {
  const std::size_t slot = record_.steps[l]++;
  record_.slots = std::max(record_.slots, record_.steps[l]);
  if (!record_.keeps_steps) return;
  make_room(slot);
  record_.t[slot * W + l] = t;
  record_.h[slot * W + l] = h;
  const std::size_t place = slot / record_.x_every;
  for (std::size_t n = l; n < dw_ && slot % record_.x_every == 0; n += W) record_.x[place * dw_ + n] = x_[n];
  if (!record_.stages_kept) return;
  for (int i = 0; i < s; ++i)
    for (std::size_t n = l; n < dw_; n += W) record_.stage[(slot * s + i) * dw_ + n] = step_.u[i][n];
}

}  // namespace salvo::integrate
