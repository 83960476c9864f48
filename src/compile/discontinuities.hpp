#pragma once

#include <string>
#include <vector>

#include "compile/kernel.hpp"
#include "compile/pattern.hpp"

namespace salvo::compile {

// A function z(x, t, p) whose zero is a discontinuity.
struct SwitchingFunction {
  std::string text{};  // the relation in the user's words
  // Linear in time, otherwise of parameters and of states that events alone change: its zero is known beforehand, or
  // from the event on that moves it.
  bool is_timed = false;
  Kernel time{};        // of a timed one: z at t = 0, dz/dt
  Kernel derivative{};  // non-zeros of z_x, of z_p, by delayed values, then z_t
  std::vector<int> by_state{};
  std::vector<int> by_parameter{};  // active ones
  std::vector<int> by_delayed{};    // looks into the past
  int event = -1;                   // that acts when time passes its zero; -1: a truth value changes ...
  int input = -1;                   // ... or the next piece of an input begins
  std::string equation{};           // that has no solution at its zero; empty: none
  int first_event = 0;  // of those that act at its zero, in the order of the file; their number if none does

  // Nothing that is estimated moves its zero.
  bool is_fixed() const { return by_state.empty() && by_parameter.empty() && by_delayed.empty(); }
};

// x+ = E(x, t, p): so many states take new values, the others keep theirs.
struct EventKernel {
  std::string text{};              // its trigger
  std::vector<int> experiments{};  // it acts in these, in order; none: in all
  int condition = -1;              // its place among the conditions: it acts when that turns true; -1: it has none
  bool false_before_start = false;
  bool is_persistent = true;
  std::vector<int> states{};  // that it sets
  Kernel value{};             // their new values
  Kernel derivative{};        // non-zeros by states, by active parameters, by time, and by delayed values
  Pattern by_state{};         // rows: places in `states`
  Pattern by_parameter{};
  std::vector<int> by_time{};  // rows
  Pattern by_delayed{};        // columns: looks into the past
};

// Where right-hand sides switch, inputs go on by another formula and states jump. Each relation of states or time in a
// right-hand side is a switching function z = left - right; its truth value, true where z > 0, stands still within a
// step. Kernels of the right-hand side take truth values as parameters, the last ones, so that what a step sees is
// smooth.
struct Discontinuities {
  std::vector<SwitchingFunction> functions{};  // those with truth values, then the times of events, then inputs
  int truths = 0;                              // how many have truth values
  int first = 0;                               // place of the first truth value among the parameters
  int frozen = 0;                              // how many parameters stand still within a step: these and inputs
  std::vector<int> watched{};                  // functions whose zeros must be looked for
  std::vector<int> moved{};                    // timed functions of states: events move their zeros
  std::vector<EventKernel> events{};           // in the order of the file
  std::vector<int> conditional{};              // events that have a condition
  std::vector<bool> begins_at_rest{};          // of every experiment: events have had their time before its start

  Kernel as_written{};  // truth values at a point, by the relations themselves
  Kernel motion{};      // seed f, then dx/dt of delayed values: z of every watched function, then dz/dt along f
  Kernel conditions{};  // of every event that has one, by truth values
  bool has_priorities = false;
  Kernel priorities{};  // of every event, minus infinity for those that have none
  Kernel f_t{};

  int largest_work() const;
};

}  // namespace salvo::compile
