#pragma once

// The numbers of the methods that were tuned, each with its meaning and its unit. Campaigns and tests vary them; how
// they were found: docs/decisions/tuned-numbers.md.
namespace salvo::solve {

// Levenberg and Marquardt's damping mu, by the gain of steps: their decrease over the foreseen one.
struct DampingRules {
  double first = 0.1;
  double least = 1e-8;
  double less = 0.2;  // times, after a good gain
  double more = 4;    // times, after a poor one
  double good = 0.75;
  double poor = 0.25;
  double acceptable = 1e-3;      // a step is taken for it
  double shortest_step = 1e-10;  // scaled
  int most_attempts = 40;
};

// What gaps and constraints cost in steps that do not close them.
struct PenaltyRules {
  double first = 1;  // a relative gap of one costs as much as a residual of one sigma
  double growth = 10;
  double little_progress =
      0.03;  // of the sum of squares; then the penalty grows, or multipliers are brought up to date
};

// Found on predator-prey campaigns (bench/success_rates_campaign.cpp, docs/decisions/globalisation.md).
struct GaussNewtonRules {
  double contraction = 0.25;      // of the correction left after a full step, for the step to stand
  double longest_full_step = 10;  // relative change of an unknown; where flows are unstable, longer ones are errors
  double shortest_part = 0.125;   // of the step along joined trajectories; a smaller one only creeps
  double moderate_step = 0.3;     // of trajectories that are nearly joined: fewer nodes will do from here on
  double short_step = 1e-3;       // matrices hardly change along it
  double rough_noise = 1e-5;      // of steps during the search
  int most_torn_ends = 10;        // then rounding errors keep it open
  int most_contradictions = 12;   // iterations in a row whose linearised constraints cannot all hold
  double negligible_gain = 1e-4;  // of the log-likelihood: a hundredth of a standard error
  int most_idle = 25;             // iterations with a negligible gain in sight that does not shrink
  double shrinking = 0.9;
  int many_columns = 20;       // of a linearisation: gradients cost several times less
  int most_frozen_phases = 3;  // where steps with a frozen Jacobian do not contract, others do not either
};

struct LagrangianRules {
  double highest_penalty = 1e8;
  int little_steps = 2;  // that bring little progress: multipliers and penalty are brought up to date
};

struct ScalarRules {
  double armijo = 1e-4;             // of the foreseen descent of the merit
  double shortest_fraction = 1e-9;  // of a step
  double died_down = 1e-4;          // of a scaled step
  int span_of_shrinking = 20;       // iterations in which the gap should fall by half; they promise 0.9 each
};

// Of a Hessian by differences of gradients.
struct HessianRules {
  double difference = 1e-4;          // of two points, in units ...
  double difference_of_rows = 1e-2;  // ... but not so much that residuals change by more
};

// Of steps along joined trajectories, measured in decades where scales are logarithmic, in sizes elsewhere.
struct DescentRules {
  double first_radius = 1;
  double longest_radius = 4;
  double shortest = 1e-12;   // step
  double acceptable = 1e-4;  // gain, as a part of what was foreseen
  double poor = 0.25;        // the radius shrinks
  double good = 0.75;        // it grows
  double curved = 0.75;      // less: the step is tried again, bent ...
  int most_bends = 4;        // ... as often as that helps
  double shrink = 0.25;
  double grow = 2;
  double noise = 1e-10;   // of the objective, relative
  double enough = 1e-12;  // promised by a step that ends it, at full accuracy
  int most_attempts = 40;
  int patience = 10;              // iterations after which the Hessian is computed; 0: never
  bool asks_before_end = false;   // for the Hessian, where rows promise more than they give ...
  double worth_a_hessian = 1e-6;  // ... namely this, as much as a certificate asks about
  HessianRules hessian{};
  int most_blind_steps = 6;  // whose gain is below the noise
};

struct Rules {
  DampingRules damping{};
  PenaltyRules penalty{};
  GaussNewtonRules gauss_newton{};
  LagrangianRules lagrangian{};
  ScalarRules scalar{};
  DescentRules descent{};
};

}  // namespace salvo::solve
