#pragma once

namespace salvo::solve {

// Damped steps that are charged for gaps and constraints instead of closing them (those of gauss_newton.cpp,
// lagrangian.cpp): how the penalty rho and the damping mu begin, and what the gain, the decrease over the foreseen one,
// makes of them.
struct PenaltyRules {
  double first_penalty = 1;  // a relative gap of one costs as much as a residual of one sigma
  double penalty_growth = 10;
  double first_damping = 0.1;
  double least_damping = 1e-8;
  double less_damping = 0.2;
  double more_damping = 4;
  double good_gain = 0.75;
  double poor_gain = 0.25;
  double least_gain = 1e-3;  // that a step is taken for
  double shortest_step = 1e-10;
  int most_attempts = 40;
};

inline constexpr PenaltyRules penalty_rules{};

}  // namespace salvo::solve
