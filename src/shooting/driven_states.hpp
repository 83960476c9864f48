#pragma once

#include <functional>
#include <span>
#include <vector>

#include "shooting/experiment_values.hpp"
#include "shooting/observed_states.hpp"

namespace salvo::shooting {

struct FormulaSlope;

// A system in which the observed states are not solved for but given, as curves (docs/mathematics.md, eq. 29):
//   hidden:    dx_h/dt = f_h(x~_o(t), x_h, t, p),  x_h(t_0) = s_0
//   observed:  increments  ∫ f_o(x~_o, x_h, t, p) dt  from stop to stop
// by the classical Runge-Kutta method on a fixed mesh. Chaos of the whole is often tame in the driven part
// ([PecoraCarroll90]).
class DrivenStates {
 public:
  // `stops` increase, from the start of the experiment on. A state with a coarse curve is simulated like a hidden one,
  // but from its curve at the beginning and anew after each of `restarts` (stops).
  DrivenStates(const compile::CompiledModel& model, const ObservedStates& observed, std::vector<double> stops,
               std::span<const int> restarts);

  // What holds at one stop. Derivatives are by (theta, v_0), row by row, and empty where none were asked for.
  struct At {
    int stop = 0;
    std::span<const double> x{};
    std::span<const double> tangent{};     // state x unknown; zero for observed states
    std::span<const double> increments{};  // of every state since the stop before
    std::span<const double> increment_tangent{};
  };
  // `unknowns` counts theta and v_0. False where the hidden states ran out of all bounds: the stops after that are not
  // visited.
  bool run(const ExperimentValues& values, int thetas, int unknowns, bool derivatives,
           const std::function<void(const At&)>& visit) const;

  const std::vector<double>& stops() const { return stops_; }
  long steps() const;

 private:
  struct Sweep;  // the buffers of one run
  std::vector<FormulaSlope> slopes_of_formulas(const ExperimentValues& values, int unknowns) const;
  void evaluate_stage(Sweep& sweep, double t, double weight) const;
  void advance(Sweep& sweep, int step) const;
  void restart(Sweep& sweep, int stop) const;

  const compile::CompiledModel& model_;
  std::vector<double> stops_;
  std::vector<int> hidden_;       // states
  std::vector<int> place_;        // of each state among the hidden ones, or -1
  std::vector<bool> restarted_;   // of each state: it has a coarse curve
  std::vector<bool> restart_at_;  // of each stop
  std::vector<int> steps_until_;  // how many steps lead to each stop
  std::vector<double> time_;      // ends and middles of the steps
  std::vector<double> driver_;    // observed states at these times, a whole state each
};

}  // namespace salvo::shooting
