#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "nlp/problem.hpp"
#include "solve/elimination/gap_multipliers.hpp"
#include "solve/quadratic/quasi_newton.hpp"
#include "solve/quadratic/secant_term.hpp"
#include "solve/state/phase_name.hpp"

namespace salvo::solve {

// Where derivatives were taken, and by which request: asked for again, they have the same bits.
struct Linearised {
  nlp::Point at{};  // empty: nowhere yet
  nlp::Request request{};

  bool operator==(const Linearised&) const = default;
};

// Gap and objective of a point where the run has been.
struct Passed {
  double gap = 0;
  double objective = 0;

  bool operator==(const Passed&) const = default;
};

// How often something has happened; what each counts is said where the rule for it stands (rules.hpp).
struct Counters {
  int iterations = 0;      // steps that stand
  int trials = 0;          // since the last of these
  int attempts = 0;        // trials in this phase
  int idle = 0;            // iterations with a negligible gain in sight that hardly shrinks
  int torn_ends = 0;       // ends at which all but a local gap was small
  int contradictions = 0;  // iterations in a row whose linearised constraints cannot all hold
  int frozen_phases = 0;   // begun so far
  int unresolved = 0;      // steps of a descent whose gain was below the noise
  int little_steps = 0;    // steps in a row that brought little

  bool operator==(const Counters&) const = default;
};

// All that a run knows, between two trials: a value that can be copied, compared, written and read. Whoever goes on
// from it, with the same problem and options, gets the bits of a run that was never stopped. Derivatives are not part
// of it: they follow from `linearised`.
struct State {
  PhaseName phase = PhaseName::start;
  nlp::Point point{};
  nlp::Request request{};  // of evaluations to come
  Linearised linearised{};
  double objective = 0;
  double gap = 0;
  double violation = 0;        // of the constraints
  double promised = 0;         // by the last full step that was proposed, of the objective
  double length = 0;           // scaled, of the step that led here ...
  double length_before = 0;    // ... and of the one before it
  double multiplier = 0;       // the largest of the gaps
  bool took_full_step = true;  // nothing speaks against the first step

  bool is_searching = false;  // with rough trajectories
  bool is_rough = false;      // what is known of the point, while evaluations are precise: good for one short step
  double fraction = 1;        // of the step that is tried
  double damping_joined = 0;  // mu of steps along joined trajectories ...
  double damping = 0;         // ... and of those with open gaps
  double penalty = 0;         // rho
  double least_promised = std::numeric_limits<double>::infinity();  // of all full steps
  double gap_at_update = 0;                                         // when multipliers were last brought up to date
  GapMultipliers multipliers{};                                     // y
  std::vector<double> pending{};  // the frozen step that comes next; empty: that of the linearisation
  std::vector<double> constraint_multipliers{};
  std::vector<Passed> passed{};  // the filter: every iteration

  double radius = 0;
  std::vector<double> units{};    // in which the quadratic model was made
  SecantTerm secant{};            // S
  bool is_hessian_tried = false;  // at this point, whether it could be computed or not
  bool was_good = true;           // the last trial of a descent
  double hessian_asked_at = std::numeric_limits<double>::infinity();  // objective where it was last computed for an end

  std::vector<std::vector<double>> gap_penalties{};  // of each squared gap
  std::optional<Bfgs> curvature{};
  bool is_curvature_fresh = true;  // it is the identity
  Counters counters{};

  bool operator==(const State&) const = default;
};

// Exact: hexadecimal numbers, a name for each, and a checksum.
std::string write(const State& state);
// A text that is damaged or of another kind gives an Issue that says so.
Result<State> read(std::string_view text);

}  // namespace salvo::solve
