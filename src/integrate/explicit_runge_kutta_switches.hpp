#pragma once

#include "integrate/explicit_runge_kutta.hpp"

// Explicit steps of equations with discontinuities: they end where a truth value changes.
namespace salvo::integrate {

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::take_off_with_switches(Flight<StepRule>& flight) {
  switchboards_.take_off(x_);
  for (int l = 0; l < launch_.lanes; ++l) {
    end_if_troubled(flight, l);
    flight.at_stop[l] = flight.active[l] != 0 && flight.stop[l] == flight.t[l] ? 1 : 0;
    if (flight.at_stop[l] != 0) switchboards_[l].stop_here();
  }
  pass_stops(flight);
  set_landings<StepRule>(flight);
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::end_if_troubled(Flight<StepRule>& flight, int l) {
  const Ending& trouble = switchboards_[l].trouble();
  if (trouble.ok()) return;
  record_.ending[l] = trouble;
  flight.active[l] = flight.accepted[l] = flight.at_stop[l] = 0;
}

// Steps of variable length lead to the next stop or discontinuity, whichever comes first.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::set_landings(Flight<StepRule>& flight) {
  if (StepRule::keeps_mesh) return;
  for (int l = 0; l < launch_.lanes; ++l)
    if (flight.active[l] != 0)
      flight.stop[l] = std::min(launch_.stops[l][record_.stop_slot[l].size()], switchboards_[l].next_time());
}

template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::cut_steps(const StepRule& rule, Flight<StepRule>& flight) {
  for (int l = 0; l < launch_.lanes; ++l) {
    if (flight.active[l] == 0) continue;
    const Switchboard& board = switchboards_[l];
    const double left = board.next_time() - flight.t[l];
    const double trial = board.is_searching() ? board.trial() : 0.0;
    flight.h[l] = rule.template cut_step<W>(flight.memory, l, flight.h[l], left, trial);
    flight.lands[l] = flight.h[l] == left ? 1 : 0;
  }
}

// Of the steps that are accurate enough, those stand in which no truth value changes before their end.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::watch_switches(const StepRule& rule, Flight<StepRule>& flight) {
  for (int l = 0; l < W; ++l) time_[l] = flight.t[l] + flight.h[l];
  switchboards_.measure(time_, x_new_, k_[s], work_);
  for (int l = 0; l < launch_.lanes; ++l) {
    if (flight.active[l] == 0) continue;
    Switchboard& board = switchboards_[l];
    if (flight.accepted[l] == 0) {
      board.give_up_search();
      continue;
    }
    const CrossingSearch::Reading end = switchboards_.reading(l);
    if (!board.judge(flight.t[l], flight.h[l], end)) {
      flight.accepted[l] = 0;
      flight.memory.restore(l, flight.memory_before);
      continue;
    }
    end_if_troubled(flight, l);
    if (flight.active[l] == 0) continue;
    rule.template stands<W>(flight.memory, l);
    board.accept(record_.slots, end);
  }
}

// What is due where steps have ended acts.
template <class Tableau, int W>
template <class StepRule>
void ExplicitRungeKutta<Tableau, W>::pass_switches(const StepRule& rule, Flight<StepRule>& flight) {
  Mask changed{};
  for (int l = 0; l < launch_.lanes; ++l) {
    if (flight.accepted[l] == 0) continue;
    Switchboard& board = switchboards_[l];
    if (flight.lands[l] != 0) flight.t[l] = board.next_time();
    if (board.is_due(flight.t[l])) {
      switchboards_.act(l, flight.t[l], record_.slots, x_);
      end_if_troubled(flight, l);
      changed[l] = 1;
    }
    if (flight.active[l] == 0) continue;
    if (flight.t[l] < launch_.stops[l][record_.stop_slot[l].size()]) flight.at_stop[l] = 0;
    if (flight.at_stop[l] != 0) board.stop_here();
  }
  if (!any(changed)) return;
  rule.template passed<W>(x_, dw_);
  look_for_zeros(rule, flight, changed);
  std::copy_n(flight.t.data(), W, time_);
  eval(x_, k_[s]);
  for (std::size_t n = 0; n < dw_ + kw_; n += W)
    for (int l = 0; l < W; ++l) k_[0][n + l] = changed[l] != 0 ? k_[s][n + l] : k_[0][n + l];
}

// d Phi = Phi_t dt + Phi_h dh of the step of lane l that has been recalled:
//   dX_i = sum_j a_ij (dh k_j + h dk_j),   dk_i = f_x(X_i) dX_i + f_t(X_i) (dt + c_i dh),   d Phi = sum_i b_i (dh k_i +
//   h dk_i)
template <class Tableau, int W>
void ExplicitRungeKutta<Tableau, W>::step_by_time(int l, double t, double h, double dt, double dh, double* out) {
  LaneModel& lane = jumps_->lane(l);
  std::vector<double> k(static_cast<std::size_t>(s) * d_), dk(k.size()), X(d_), dX(d_), f_t(d_);
  for (int i = 0; i <= s; ++i) {
    const double* weights = i < s ? Tableau::a[i] : Tableau::b;
    double* to = i < s ? dX.data() : out;
    for (int n = 0; n < d_; ++n) {
      to[n] = 0;
      for (int j = 0; j < i; ++j) to[n] += weights[j] * (dh * k[j * d_ + n] + h * dk[j * d_ + n]);
    }
    if (i == s) return;
    const double time = t + Tableau::c[i] * h;
    for (int n = 0; n < d_; ++n) {
      X[n] = stage_[0][n * W + l];
      for (int j = 0; j < i; ++j) X[n] += h * Tableau::a[i][j] * k[j * d_ + n];
    }
    std::copy_n(lane.f(time, X.data()).data(), d_, k.data() + i * d_);
    lane.f_x_times(time, X.data(), dX.data(), dk.data() + i * d_);
    lane.f_t(time, X.data(), f_t.data());
    for (int n = 0; n < d_; ++n) dk[i * d_ + n] += f_t[n] * (dt + Tableau::c[i] * dh);
  }
}

}  // namespace salvo::integrate
