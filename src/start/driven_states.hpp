#pragma once

#include <functional>
#include <span>
#include <vector>

#include "shooting/experiment_values.hpp"
#include "start/observed_states.hpp"
#include "start/rules.hpp"
#include "start/tangent_pattern.hpp"

namespace salvo::start {

// A system in which the observed states are not solved for but given, as curves (docs/mathematics.md, eq. 29):
//   hidden:    dx_h/dt = f_h(x~_o(t), x_h, t, p),  x_h(t_0) = s_0
//   observed:  increments  ∫ f_o(x~_o, x_h, t, p) dt  from stop to stop
// by the classical Runge-Kutta method on a fixed mesh. Chaos of the whole is often tame in the driven part
// ([PecoraCarroll90]).
class DrivenStates {
 public:
  // `stops` increase, from the start of the experiment on. A state with a coarse curve is simulated like a hidden one,
  // but from its curve at the beginning and anew after each of `restarts` (stops, increasing).
  DrivenStates(const compile::CompiledModel& model, const ObservedStates& observed, std::vector<double> stops,
               std::span<const int> restarts, const MatchingRules& rules = {});

  // What holds at one stop. Derivatives are by (theta, v_0), entry by entry of the pattern, and empty where none were
  // asked for.
  struct At {
    int stop = 0;
    std::span<const double> x{};
    std::span<const double> increments{};  // of every state since the stop before
    const TangentPattern& pattern;
    std::span<const double> tangent{};  // of x; zero for observed states
    std::span<const double> increment_tangent{};
  };
  // `unknowns` counts theta and v_0. False where a hidden state has become infinite: the stops after that are not
  // visited.
  bool run(const shooting::ExperimentValues& values, int thetas, int unknowns, bool derivatives,
           const std::function<void(const At&)>& visit) const;

  long steps() const { return mesh_.steps_until.back(); }

  struct Mesh {
    int experiment = 0;
    std::vector<double> stops{};
    std::vector<int> steps_until{};  // how many steps lead to each stop
    std::vector<double> time{};      // ends and middles of the steps
    std::vector<double> driver{};    // observed states at these times, a whole state each
    std::vector<char> simulated{};   // of each state
    std::vector<char> restarted{};   // of each state: it has a coarse curve
    std::vector<char> restart_at{};  // of each stop
  };

 private:
  const compile::CompiledModel& model_;
  Mesh mesh_;
  std::vector<int>
      beginnings_;  // stops at which nothing is known of what was before: all that is simulated is restarted
};

}  // namespace salvo::start
