#pragma once

// The numbers of the methods that were tuned, each with its meaning and its unit. Campaigns and tests vary them; how
// they were found: docs/decisions/tuned-numbers.md.
namespace salvo::solve {

struct TrustRules {
  double contraction = 0.25;
  double good = 0.75;
  double acceptable = 1e-4;
  double shortest_step = 1e-12;
  int most_attempts = 40;
};

struct DampingRules {
  double first = 0.1;
  double least = 1e-8;
  double less = 0.2;  // times, after a good gain
  double more = 4;    // times, after a poor one
  double acceptable = 1e-3;
  double shortest_step = 1e-10;
};

struct PenaltyRules {
  double first = 1;
  double growth = 10;
  double little_progress = 0.03;
  double of_closed_gaps = 1e10;
};

struct GapRules {
  double joined = 1e-6;
  double comparable = 1e-4;
  double nearly_joined = 1e-2;
  double filter_margin = 0.01;
};

struct RankRules {
  double singular = 1e-9;
  double most_by_gaps = 1e-3;
};

struct GaussNewtonRules {
  double longest_full_step = 10;
  double shortest_part = 0.125;
  double moderate_step = 0.3;
  double short_step = 1e-3;
  double rough_noise = 1e-5;
  double same_derivatives = 1e-8;
  int most_torn_ends = 10;
  int most_contradictions = 12;
  double negligible_gain = 1e-4;
  int most_idle = 25;
  double shrinking = 0.9;
  int many_columns = 20;
  int most_frozen_phases = 3;
};

struct LagrangianRules {
  double highest_penalty = 1e8;
  int little_steps = 2;
  double slow_gap = 0.1;
  double reduction = 0.1;
  double reduction_joined = 1e-3;
  double noise = 1e-9;
};

struct ScalarRules {
  double shortest_fraction = 1e-9;
  double died_down = 1e-4;
  int span_of_shrinking = 20;
};

struct HessianRules {
  double difference = 1e-4;
  double difference_of_rows = 1e-2;
};

struct DescentRules {
  double first_radius = 1;
  double longest_radius = 4;
  double growth = 2;
  double noise = 1e-10;
  double enough = 1e-12;
  int most_bends = 4;
  int patience = 10;
  int most_unresolved = 6;
  double worth_a_hessian = 1e-6;
  HessianRules hessian{};
};

struct Rules {
  TrustRules trust{};
  DampingRules damping{};
  PenaltyRules penalty{};
  GapRules gaps{};
  RankRules rank{};
  GaussNewtonRules gauss_newton{};
  LagrangianRules lagrangian{};
  ScalarRules scalar{};
  DescentRules descent{};
};

}  // namespace salvo::solve
