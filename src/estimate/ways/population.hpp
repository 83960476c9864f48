#pragma once

#include <functional>
#include <vector>

#include "base/random.hpp"
#include "base/run_context.hpp"
#include "estimate/ways/setup.hpp"

namespace salvo::estimate {

// How a population of points spends its work.
struct PopulationRules {
  int members_per_unknown = 15;
  int fewest_members = 20;
  int most_members = 150;
  double earliest = 0.25;  // share of the times that the first stage sees
  int stages = 7;          // each with more of the data than the one before
  int generations = 15;    // in each stage
  int fewest_generations = 5;
  double leading = 0.2;          // share of the members that the others move towards
  double least_weight = 0.4;     // of a difference between members; the largest is 1
  double crossover = 0.9;        // share of the unknowns that a trial changes
  double accuracy = 1e-3;        // of trajectories
  int most_steps = 1000;         // of a trajectory
  double dear = 5e8;             // operations of right-hand sides: what would take more is not begun ...
  double dear_if_settled = 5e7;  // ... or where an answer is at hand that leaves no doubt
  int followed = 3;              // members of the last generation from which descents begin
  double same = 0.3;             // difference of log-likelihoods of members that lie in one valley
};

// Whether the times of discontinuities depend on what is estimated. Each order of events and measurements then has
// minima of its own, and no derivative shows the way from one to another.
bool moves_discontinuities(const compile::CompiledModel& model);

// The best members, the best first, of a population that evolves ([ZS09], with weights drawn as in [SP97]) while the
// data are let in from the earliest to the latest. Events that early data show are then in their places before later
// ones count; against all data at once a trajectory that is out of step is no better than one without any event.
// Scales of noise that are estimated take the value that fits the residuals.
std::vector<nlp::Point> evolve(const Setup& setup, const PopulationRules& rules,
                               const std::function<nlp::Point()>& draw, Random& random, const RunContext& context);

}  // namespace salvo::estimate
